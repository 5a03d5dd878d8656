// Registers the bot `llm`, which asks a language model for its moves.

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bots/bot.h"
#include "bots/llm/curl_client.h"
#include "bots/llm/environment.h"
#include "bots/llm/llm_player.h"
#include "bots/llm/settings.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/triumvirate/position.h"

namespace triarch {
namespace llm {
namespace {

constexpr size_t kModelSizeMax = 200;
// By Notation.
constexpr std::array<std::string_view, 3> kNotations = {"classic", "triumvirate",
                                                        "triumvirate-client"};

constexpr std::array kOptions = {
    BotOption{.name = "model",
              .description = "the model to ask",
              .default_note = "the environment's TRIARCH_LLM_MODEL"},
    BotOption{.name = "notation",
              .description = "how cells are named; only Triumvirate has others than classic",
              .type = BotOption::Type::kChoice,
              .choices = kNotations},
    WholeOption("retries", "how many times to ask again for one move", 0, 10, 2),
    WholeOption("timeout_ms", "milliseconds to wait for one answer", 1, 3'600'000, 60'000),
    NumberOption("temperature", "the randomness of the answers", 0, 2, std::nullopt,
                 "the server's default"),
    WholeOption("max_tokens", "maximum number of tokens in an answer", 1, 1'000'000, std::nullopt,
                "the server's default")};

absl::Status Check(const BotOptionValues& options) {
  const std::string model = options.Text("model");
  if (!options.is_given("model")) return absl::OkStatus();
  if (!model.empty() && model.size() <= kModelSizeMax && IsPlainText(model)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "option model of bot \"llm\": expected the name of a model, not " + Quote(model));
}

absl::Status CheckGame(const BotOptionValues& options, const GameInfo& game) {
  const Notation notation = ReadSettings(options).notation;
  if (notation == Notation::kClassic || game.name == triumvirate::Position::kInfo.name) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("option notation of bot \"llm\": the game " +
                                    std::string(game.name) + " has no notation " +
                                    options.Text("notation"));
}

absl::Status CheckHere(const BotOptionValues& options) {
  return ReadEnvironment(ReadSettings(options)).status();
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& request) {
  const Settings settings = ReadSettings(request.options);
  ASSIGN_OR_RETURN(Environment environment, ReadEnvironment(settings));
  return std::make_unique<LlmPlayer>(settings, std::move(environment), MakeCurlClient(),
                                     request.log);
}

}  // namespace

Settings ReadSettings(const BotOptionValues& options) {
  return {.model = options.Text("model"),
          .notation = static_cast<Notation>(
              std::find(kNotations.begin(), kNotations.end(), options.Text("notation")) -
              kNotations.begin()),
          .retries = *options.Whole("retries"),
          .timeout = std::chrono::milliseconds(*options.Whole("timeout_ms")),
          .temperature = options.Number("temperature"),
          .max_tokens = options.Whole("max_tokens")};
}

}  // namespace llm

extern constinit const BundledBot kLlmBot{
    .name = "llm",
    .description = "asks a language model, at the endpoint that TRIARCH_LLM_URL names",
    .options = llm::kOptions,
    .make = llm::Make,
    .check = llm::Check,
    .check_game = llm::CheckGame,
    .check_here = llm::CheckHere};

}  // namespace triarch
