// Writes requests to a chat endpoint and parses its replies.

#ifndef TRIARCH_BOTS_LLM_CHAT_H_
#define TRIARCH_BOTS_LLM_CHAT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"

// The messages of an OpenAI-compatible endpoint, POST /chat/completions.
namespace triarch::llm {

struct Message {
  enum class Role : uint8_t { kSystem, kUser, kAssistant };
  Role role = Role::kUser;
  std::string content;
};

// Returns the body of a request. Replaces bytes that are not valid UTF-8.
std::string WriteChat(const std::string& model, const Settings& settings,
                      const std::vector<Message>& messages);

// Returns the text of the first choice in a reply's body. InvalidArgument describes what the body
// contains instead.
absl::StatusOr<std::string> ReadChat(std::string_view body);

// Returns the error text of an error reply on one line, or an empty string if it is unreadable.
std::string ReadChatError(std::string_view body);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_CHAT_H_
