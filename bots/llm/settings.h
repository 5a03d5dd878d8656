#ifndef TRIARCH_BOTS_LLM_SETTINGS_H_
#define TRIARCH_BOTS_LLM_SETTINGS_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "bots/bots.h"
#include "core/record/game_spec.h"

// The options of the bot `llm`, as a tournament file gives them.
namespace triarch::llm {

// How cells and moves are written to the model.
enum class Notation : uint8_t {
  kClassic,      // the game's canonical text: E2-E4
  kTriumvirate,  // Triumvirate v4.0, published table: W2/R2.3-C/W.R; of that game alone
};

struct Settings {
  std::string model;  // empty: the environment names it
  Notation notation = Notation::kClassic;
  int64_t retries = 2;                        // of one move, after what failed
  std::chrono::milliseconds timeout{60'000};  // of one request
  std::optional<double> temperature;          // else the server's own
  std::optional<int64_t> max_tokens;          // likewise
};

inline constexpr std::array kOptions = {
    BotOption{"model", "which model is asked (what TRIARCH_LLM_MODEL says)"},
    BotOption{"notation", "classic, or triumvirate: cells of Triumvirate v4.0 (classic)"},
    BotOption{"retries", "how often it asks again for one move, 0 to 10 (2)"},
    BotOption{"timeout_ms", "milliseconds for one request, 1 to 3600000 (60000)"},
    BotOption{"temperature", "how much chance is in its answers, 0 to 2 (the server's own)"},
    BotOption{"max_tokens", "how long an answer may be, 1 to 1000000 (the server's own)"}};

// InvalidArgument names the option whose value is none. Requires: all options are of kOptions.
absl::StatusOr<Settings> ReadSettings(const BotSpec& spec);

// InvalidArgument if the game has no such notation.
absl::Status CheckNotation(const Settings& settings, const GameInfo& game);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_SETTINGS_H_
