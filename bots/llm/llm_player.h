// Plays a seat by asking a language model.

#ifndef TRIARCH_BOTS_LLM_LLM_PLAYER_H_
#define TRIARCH_BOTS_LLM_LLM_PLAYER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bots/llm/chat.h"
#include "bots/llm/environment.h"
#include "bots/llm/http_client.h"
#include "bots/llm/settings.h"
#include "core/base/random.h"
#include "core/play/player.h"

namespace triarch::llm {

// Asks a language model at an OpenAI-compatible chat endpoint for each move. After a wrong answer
// it explains the error and asks again; after a failure it waits and retries. Both are limited by
// the settings and the move's time. It then makes a fallback move: a uniformly random legal one,
// derived from the game's seed. It never forfeits.
class LlmPlayer final : public SyncPlayer {
 public:
  // `log` receives one line with the reason for each fallback move. The key never appears in it.
  LlmPlayer(Settings settings, Environment environment, std::unique_ptr<HttpClient> client,
            std::function<void(const std::string&)> log);

  bool wants_context() const override { return true; }
  void NewGame(Seat seat, uint64_t seed) override;
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  // The result of one request.
  struct Reply {
    std::string text;                                    // written by the model
    std::string why;                                     // why there is no text; otherwise empty
    bool is_final = false;                               // asking again would not help
    std::optional<std::chrono::milliseconds> wait = {};  // requested by the server
  };
  Reply Ask(const std::vector<Message>& messages, TimePoint end, const std::atomic<bool>* stop);
  std::string WithoutKey(std::string text) const;

  const Settings settings_;
  const Environment environment_;
  const std::unique_ptr<HttpClient> client_;
  const std::function<void(const std::string&)> log_;
  Random random_{0};
};

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_LLM_PLAYER_H_
