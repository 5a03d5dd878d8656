#include "arena/api/open_api.h"

#include "arena/api/body.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

// Returns the names in braces of a path.
std::vector<std::string> ParametersOf(std::string_view path) {
  std::vector<std::string> names;
  for (const std::string_view part : Split(path, '/')) {
    if (part.starts_with('{')) names.emplace_back(part.substr(1, part.size() - 2));
  }
  return names;
}

ApiJson SchemaOf(std::string_view type) {
  if (type != "texts") return {{"type", type}};
  const ApiJson list = {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"oneOf", ApiJson::array({{{"type", "string"}}, list})}};
}

ApiJson ParameterOf(std::string_view name, std::string_view in) {
  return {{"name", name}, {"in", in}, {"required", in == "path"}, {"schema", {{"type", "string"}}}};
}

// The members of the body of a route, as a schema.
ApiJson BodyOf(const Route& route) {
  ApiJson members = ApiJson::object();
  for (const std::string_view field : Split(route.fields, ' ')) {
    const size_t colon = field.find(':');
    members[std::string(field.substr(0, colon))] =
        SchemaOf(colon == std::string_view::npos ? "string" : field.substr(colon + 1));
  }
  const ApiJson schema = {{"type", "object"}, {"properties", std::move(members)}};
  return {{"content", {{"application/json", {{"schema", schema}}}}}};
}

ApiJson OperationOf(const Route& route) {
  ApiJson operation = {{"summary", route.summary},
                       {"responses",
                        {{std::to_string(route.status), {{"description", route.answer}}},
                         {"default", {{"description", "{\"detail\": \"what was wrong\"}"}}}}}};
  for (const std::string& name : ParametersOf(route.path)) {
    operation["parameters"].push_back(ParameterOf(name, "path"));
  }
  for (const std::string_view name : Split(route.query, ' ')) {
    if (!name.empty()) operation["parameters"].push_back(ParameterOf(name, "query"));
  }
  const ApiJson none = ApiJson::array();
  if (route.secret == Secret::kToken) operation["security"] = {{{"token", none}}};
  if (route.secret == Secret::kKey) operation["security"] = {{{"key", none}}};
  if (route.secret == Secret::kOperator) operation["security"] = {{{"operator", none}}};
  if (route.secret == Secret::kMaybeKey) {
    operation["security"] = ApiJson::array({ApiJson::object(), {{"key", none}}});
  }
  if (!route.fields.empty()) operation["requestBody"] = BodyOf(route);
  return operation;
}

}  // namespace

std::string OpenApiJson(std::string_view title,
                        std::initializer_list<const std::vector<Route>*> all) {
  ApiJson paths = ApiJson::object();
  bool has_secrets = false;
  for (const std::vector<Route>* const routes : all) {
    for (const Route& route : *routes) {
      paths[std::string(route.path)][route.method == "GET" ? "get" : "post"] = OperationOf(route);
      has_secrets |= route.secret != Secret::kNone;
    }
  }
  ApiJson json = {{"openapi", "3.0.3"},
                  {"info", {{"title", title}, {"version", TRIARCH_VERSION}}},
                  {"paths", paths}};
  if (has_secrets) {
    const ApiJson token = {{"type", "http"}, {"scheme", "bearer"}};
    json["components"]["securitySchemes"] = {{"token", token}, {"key", token}, {"operator", token}};
  }
  return json.dump(2);
}

}  // namespace triarch::arena
