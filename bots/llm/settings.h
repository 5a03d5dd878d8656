// Holds the settings of the bot `llm`, taken from its options.

#ifndef TRIARCH_BOTS_LLM_SETTINGS_H_
#define TRIARCH_BOTS_LLM_SETTINGS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "bots/bot.h"

namespace triarch::llm {

// The notation for cells, pieces and moves in prompts. All but kClassic are only for Triumvirate.
enum class Notation : uint8_t {
  kClassic,            // the game's canonical text: E2-E4
  kTriumvirate,        // Triumvirate v4.0, table published: W2/R2.3-C/W.R
  kTriumvirateClient,  // Triumvirate v4.0, table client
};

struct Settings {
  std::string model;  // if empty, taken from the environment
  Notation notation = Notation::kClassic;
  int64_t retries = 2;                        // per move, after failures
  std::chrono::milliseconds timeout{60'000};  // time limit per request
  std::optional<double> temperature;          // if empty, the server's default
  std::optional<int64_t> max_tokens;          // if empty, the server's default
};

Settings ReadSettings(const BotOptionValues& options);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_SETTINGS_H_
