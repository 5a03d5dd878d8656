#include "arena/api/route.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace triarch::arena {
namespace {

// Returns the parameters of the path, or nothing if it does not match.
std::optional<std::vector<std::string>> MatchPath(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> wanted = Split(pattern, '/');
  const std::vector<std::string_view> parts = Split(path, '/');
  if (wanted.size() != parts.size()) return std::nullopt;
  std::vector<std::string> parameters;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != parts[i]) return std::nullopt;
    } else {
      std::string parameter = DecodeUrl(parts[i]);
      // No table, game or player has such a name, and not every store can look for one.
      if (parameter.empty() || !IsPlainText(parameter)) return std::nullopt;
      parameters.push_back(std::move(parameter));
    }
  }
  return parameters;
}

// Like MatchPath, but does not need the parameters: every request is compared with many patterns.
bool HasForm(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    if (pattern.front() == '{') {
      if (path.front() == '/') return false;
      pattern.remove_prefix(pattern.find('}') + 1);
      path.remove_prefix(std::min(path.find('/'), path.size()));
    } else if (pattern.front() != path.front()) {
      return false;
    } else {
      pattern.remove_prefix(1);
      path.remove_prefix(1);
    }
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::optional<FoundRoute> FindRoute(const std::vector<Route>& routes, const Exchange& exchange) {
  const WebRequest& request = exchange->request();
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (size_t i = 0; i < routes.size(); ++i) {
    std::optional<std::vector<std::string>> parameters = MatchPath(routes[i].path, request.path);
    if (!parameters) continue;
    if (routes[i].method == method) return FoundRoute{i, *std::move(parameters)};
    if (!allowed.empty()) allowed += ", ";
    allowed += routes[i].method;
  }
  if (allowed.empty()) {
    ReplyDetail(exchange, 404, "there is no such page; see /openapi.json");
  } else {
    ReplyWrongMethod(exchange, allowed);
  }
  return std::nullopt;
}

std::string_view PatternOf(const std::vector<Route>& routes, const WebRequest& request) {
  const std::string_view method =
      request.method == "HEAD" ? "GET" : std::string_view(request.method);
  for (const Route& route : routes) {
    if (route.method == method && HasForm(route.path, request.path)) return route.path;
  }
  return "";
}

std::string NamesOf(std::string_view fields) {
  std::string names;
  for (const std::string_view field : Split(fields, ' ')) {
    if (!names.empty()) names += ' ';
    names += field.substr(0, field.find(':'));
  }
  return names;
}

}  // namespace triarch::arena
