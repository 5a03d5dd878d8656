// Writes requests to a chat endpoint and reads its replies.

#ifndef TRIARCH_BOTS_LLM_CHAT_H_
#define TRIARCH_BOTS_LLM_CHAT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"

// What is said to an OpenAI-compatible endpoint, POST /chat/completions, and what it says.
namespace triarch::llm {

struct Message {
  enum class Role : uint8_t { kSystem, kUser, kAssistant };
  Role role = Role::kUser;
  std::string content;
};

// The body of a request. Bytes that are no UTF-8 are replaced.
std::string WriteChat(const std::string& model, const Settings& settings,
                      const std::vector<Message>& messages);

// The text of the first choice in a reply's body. InvalidArgument says what it has instead.
absl::StatusOr<std::string> ReadChat(std::string_view body);

// What a reply with an error says of it, on one line; empty if it says nothing readable.
std::string ReadChatError(std::string_view body);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_CHAT_H_
