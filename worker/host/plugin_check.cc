#include "worker/host/plugin_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "worker/host/forked_call.h"
#include "worker/host/plugin.h"
#include "worker/host/plugin_checker.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json ErrorJson(const absl::Status& status) {
  return {{"code", static_cast<int>(status.code())}, {"error", std::string(status.message())}};
}

absl::Status ErrorFrom(const Json& json) {
  return absl::Status(static_cast<absl::StatusCode>(json["code"].get<int>()),
                      json["error"].get<std::string>());
}

Json DescriptionJson(const Plugin& plugin) {
  const triarch_bot& bot = plugin.bot();
  Json json = {{"name", bot.name},        {"version", bot.version},
               {"abi", bot.abi_version},  {"has_policy", bot.policy != nullptr},
               {"games", plugin.games()}, {"options", Json::array()}};
  for (size_t i = 0; i < bot.option_count; ++i) {
    const triarch_option& option = bot.options[i];
    json["options"].push_back({option.name, option.description, option.default_value});
  }
  return json;
}

PluginDescription DescriptionFrom(const Json& json) {
  PluginDescription description = {.name = json["name"],
                                   .version = json["version"],
                                   .abi = json["abi"],
                                   .has_policy = json["has_policy"],
                                   .games = json["games"],
                                   .options = {}};
  for (const Json& option : json["options"]) {
    description.options.push_back(
        {.name = option[0], .description = option[1], .default_value = option[2]});
  }
  return description;
}

absl::Status Died(const std::string& path, const ForkedEnd& end, const PluginPlace& place) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s %s %s", path, end.how, FunctionText(place)));
}

// Plays the games of one check, in as many child processes as the plugin needs.
class Check {
 public:
  Check(const std::string& path, const GameInfo& game,
        const std::map<std::string, std::string>& options, int64_t games, milliseconds patience)
      : path_(path), game_(game), options_(options), games_(games), patience_(patience) {}

  absl::StatusOr<BotReport> Run() {
    int64_t next = 1;
    for (int crashes = 0; next <= games_; ++crashes) {
      if (crashes == kCrashesMax) {
        report_.Add(false, "games left out because of the crashes",
                    absl::StrFormat("game %d", next), games_ - next + 1);
        break;
      }
      ASSIGN_OR_RETURN(const ForkedEnd end, PlayFrom(next));
      RETURN_IF_ERROR(error_);
      if (end.is_done) {
        report_.games += games_ - next + 1;
        break;
      }
      // Without a game it cannot be played at all. (The repetition of the first game comes last.)
      if (place_->game == 0 && next == 1 && plies_ == 0) return Died(path_, end, *place_);
      report_.Add(true, "it " + end.how + " " + FunctionText(*place_),
                  place_->game == 0 ? "after the last game" : PlaceText(*place_, game_));
      const int64_t last = place_->game == 0 ? games_ + 1 : place_->game.load();
      report_.games += std::min(last, games_) - next + 1;
      next = last + 1;
    }
    report_.plies_per_second = static_cast<double>(report_.plies) / std::max(seconds_, 1e-9);
    return std::move(report_);
  }

 private:
  absl::StatusOr<ForkedEnd> PlayFrom(int64_t first) {
    place_->game = 0;
    place_->ply = 0;
    plies_ = 0;
    const auto began = std::chrono::steady_clock::now();
    absl::StatusOr<ForkedEnd> end =
        RunForked([&](const SendLine& send) { PlayInChild(first, send); },
                  [this](std::string_view line) { Take(Json::parse(line)); },
                  [this] { return place_->calls.load(); }, patience_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    report_.plies += plies_;
    return end;
  }

  void PlayInChild(int64_t first, const SendLine& send) {
    const absl::StatusOr<const Plugin*> plugin = Plugin::Load(path_);
    if (!plugin.ok()) return send(Dump(ErrorJson(plugin.status())));
    PluginChecker checker(**plugin, game_, &*place_, [&send](const BotFinding& finding) {
      send(Dump({{"is_fault", finding.is_fault},
                 {"what", finding.what},
                 {"count", finding.count},
                 {"first", finding.first}}));
    });
    if (const absl::Status made = checker.Make(options_); !made.ok()) {
      return send(Dump(ErrorJson(made)));
    }
    checker.PlayGames(first, games_, [&] { send(Dump({{"plies", checker.plies()}})); });
    checker.Finish();
  }

  void Take(const Json& json) {
    if (json.contains("error")) {
      error_ = ErrorFrom(json);
    } else if (json.contains("plies")) {
      plies_ = json["plies"];
    } else {
      report_.Add(json["is_fault"], json["what"], json["first"], json["count"]);
    }
  }

  const std::string& path_;
  const GameInfo& game_;
  const std::map<std::string, std::string>& options_;
  const int64_t games_;
  const milliseconds patience_;
  const SharedWithChildren<PluginPlace> place_;
  BotReport report_;
  absl::Status error_;
  int64_t plies_ = 0;  // of this child
  double seconds_ = 0;
};

}  // namespace

absl::StatusOr<PluginDescription> DescribePlugin(const std::string& path, milliseconds patience) {
  const SharedWithChildren<PluginPlace> place;
  Json answer;
  ASSIGN_OR_RETURN(
      const ForkedEnd end,
      RunForked(
          [&](const SendLine& send) {
            const absl::StatusOr<const Plugin*> plugin = Plugin::Load(path);
            send(Dump(plugin.ok() ? DescriptionJson(**plugin) : ErrorJson(plugin.status())));
          },
          [&](std::string_view line) { answer = Json::parse(line); },
          [&] { return place->calls.load(); }, patience));
  if (!end.is_done) return Died(path, end, *place);
  if (answer.contains("error")) return ErrorFrom(answer);
  return DescriptionFrom(answer);
}

absl::Status TryPlugin(const std::string& path, const GameInfo& game, const BotSpec& spec,
                       milliseconds patience) {
  const SharedWithChildren<PluginPlace> place;
  absl::Status status;
  ASSIGN_OR_RETURN(const ForkedEnd end,
                   RunForked(
                       [&](const SendLine& send) {
                         const absl::StatusOr<const Plugin*> plugin = Plugin::Load(path);
                         if (!plugin.ok()) return send(Dump(ErrorJson(plugin.status())));
                         place->function = PluginPlace::kCreate;
                         ++place->calls;
                         const auto player = (*plugin)->MakePlayer(game, spec);
                         if (!player.ok()) send(Dump(ErrorJson(player.status())));
                       },
                       [&](std::string_view line) { status = ErrorFrom(Json::parse(line)); },
                       [&] { return place->calls.load(); }, patience));
  return end.is_done ? status : Died(path, end, *place);
}

absl::StatusOr<BotReport> CheckPlugin(const std::string& path, const GameInfo& game,
                                      const std::map<std::string, std::string>& options,
                                      int64_t games, milliseconds patience) {
  return Check(path, game, options, games, patience).Run();
}

}  // namespace triarch
