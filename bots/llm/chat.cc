#include "bots/llm/chat.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace triarch::llm {
namespace {

using Json = nlohmann::json;

std::string_view RoleWord(Message::Role role) {
  switch (role) {
    case Message::Role::kSystem:
      return "system";
    case Message::Role::kUser:
      return "user";
    case Message::Role::kAssistant:
      break;
  }
  return "assistant";
}

// Returns null if the text is not JSON.
Json Parse(std::string_view text) {
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  // Never copied: copying a deeply nested value would overflow the stack.
  if (json.is_discarded()) return Json();
  return json;
}

const Json& Member(const Json& json, const char* key) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(key);
  return found == json.end() ? kNull : *found;
}

// Returns a text, or the concatenated texts of a list of parts.
std::string TextOf(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (!content.is_array()) return text;
  for (const Json& part : content) {
    const Json& piece = Member(part, "text");
    if (piece.is_string()) text += piece.get<std::string>();
  }
  return text;
}

std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace

std::string WriteChat(const std::string& model, const Settings& settings,
                      const std::vector<Message>& messages) {
  Json json = {{"model", model}, {"messages", Json::array()}, {"stream", false}};
  for (const Message& message : messages) {
    json["messages"].push_back({{"role", RoleWord(message.role)}, {"content", message.content}});
  }
  if (settings.temperature) json["temperature"] = *settings.temperature;
  if (settings.max_tokens) json["max_tokens"] = *settings.max_tokens;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<std::string> ReadChat(std::string_view body) {
  const Json json = Parse(body);
  if (json.is_null()) return absl::InvalidArgumentError("the server's reply is not JSON");
  const std::string error = ReadChatError(body);
  if (!error.empty()) return absl::InvalidArgumentError("the server's reply is an error: " + error);
  const Json& choices = Member(json, "choices");
  if (!choices.is_array() || choices.empty()) {
    return absl::InvalidArgumentError("the server's reply has no choices");
  }
  const Json& choice = choices.front();
  std::string text = TextOf(Member(Member(choice, "message"), "content"));
  if (!Trim(text).empty()) return text;
  const Json& reason = Member(choice, "finish_reason");
  if (reason == "length") {
    return absl::InvalidArgumentError("the model's text ended before its answer: max_tokens");
  }
  return absl::InvalidArgumentError("the model returned no text");
}

std::string ReadChatError(std::string_view body) {
  const Json json = Parse(body);
  const Json& error = Member(json, "error");
  if (error.is_string()) return OnOneLine(error.get<std::string>());
  const Json& message = Member(error, "message");
  if (message.is_string()) return OnOneLine(message.get<std::string>());
  return error.is_null() ? "" : "no message given";
}

}  // namespace triarch::llm
