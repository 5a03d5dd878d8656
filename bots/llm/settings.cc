#include "bots/llm/settings.h"

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/triumvirate/position.h"

namespace triarch::llm {
namespace {

constexpr size_t kModelSizeMax = 200;

absl::Status Wrong(std::string_view option, std::string_view text, std::string_view expected) {
  return absl::InvalidArgumentError("option " + std::string(option) + " of bot \"llm\": " +
                                    Quote(text) + " is " + std::string(expected));
}

absl::StatusOr<int64_t> ReadWhole(std::string_view option, std::string_view text, int64_t low,
                                  int64_t high) {
  const std::optional<int64_t> value = ParseInt64(text);
  if (value && *value >= low && *value <= high) return *value;
  return Wrong(option, text,
               "no whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

absl::Status ReadOption(std::string_view name, const std::string& text, Settings* settings) {
  if (name == "model") {
    if (text.empty() || text.size() > kModelSizeMax || !IsPlainText(text)) {
      return Wrong(name, text, "no name of a model");
    }
    settings->model = text;
  } else if (name == "notation") {
    if (text != "classic" && text != "triumvirate") {
      return Wrong(name, text, "none; expected classic or triumvirate");
    }
    settings->notation = text == "classic" ? Notation::kClassic : Notation::kTriumvirate;
  } else if (name == "retries") {
    ASSIGN_OR_RETURN(settings->retries, ReadWhole(name, text, 0, 10));
  } else if (name == "timeout_ms") {
    ASSIGN_OR_RETURN(const int64_t timeout_ms, ReadWhole(name, text, 1, 3'600'000));
    settings->timeout = std::chrono::milliseconds(timeout_ms);
  } else if (name == "temperature") {
    settings->temperature = ParseDouble(text);
    if (!settings->temperature || *settings->temperature < 0 || *settings->temperature > 2) {
      return Wrong(name, text, "no number from 0 to 2");
    }
  } else {
    ASSIGN_OR_RETURN(settings->max_tokens, ReadWhole(name, text, 1, 1'000'000));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Settings> ReadSettings(const BotSpec& spec) {
  Settings settings;
  for (const auto& [name, text] : spec.options) {
    RETURN_IF_ERROR(ReadOption(name, text, &settings));
  }
  return settings;
}

absl::Status CheckNotation(const Settings& settings, const GameInfo& game) {
  if (settings.notation == Notation::kClassic || game.name == triumvirate::Position::kInfo.name) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "option notation of bot \"llm\": triumvirate is no notation of the game " +
      std::string(game.name));
}

}  // namespace triarch::llm
