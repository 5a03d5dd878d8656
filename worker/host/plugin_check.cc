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
        const std::map<std::string, std::string>& options, const CheckPlan& plan,
        milliseconds patience)
      : path_(path), game_(game), options_(options), plan_(plan), patience_(patience) {}

  absl::StatusOr<BotReport> Run() {
    const int64_t last = ClockedGame(plan_);
    int64_t next = 1;
    for (int crashes = 0; next <= last; ++crashes) {
      if (crashes == kCrashesMax) {
        AddLeftOut(next);
        break;
      }
      ASSIGN_OR_RETURN(const ForkedEnd end, PlayFrom(next));
      RETURN_IF_ERROR(error_);
      if (end.is_done || IsInterrupted(plan_)) break;
      // Without a game it cannot be played at all. (After the games, too, there is none.)
      if (place_->game == 0 && next == 1 && plies_ == 0) return Died(path_, end, *place_);
      const bool is_after = place_->game == 0;
      report_.Add({.what = "it " + end.how + " " + FunctionText(*place_),
                   .first = is_after ? "after the last game" : PlaceText(*place_, game_)});
      if (is_after) break;
      ++report_.games;
      next = place_->game + 1;
    }
    report_.plies_per_second = static_cast<double>(report_.plies) / std::max(seconds_, 1e-9);
    return std::move(report_);
  }

 private:
  // The first game is not repeated after a crash.
  void AddLeftOut(int64_t next) {
    report_.Add({.is_fault = false,
                 .what = "games left out because of the crashes",
                 .count = std::max<int64_t>(plan_.games - next + 1, 0) + 1,
                 .first = absl::StrFormat("game %d", next)});
  }

  absl::StatusOr<ForkedEnd> PlayFrom(int64_t first) {
    place_->game = 0;
    place_->ply = 0;
    finished_ = 0;
    plies_ = 0;
    const auto began = std::chrono::steady_clock::now();
    absl::StatusOr<ForkedEnd> end =
        RunForked([&](const SendLine& send) { PlayInChild(first, send); },
                  [this](std::string_view line) { Take(Json::parse(line)); },
                  [this] { return place_->calls.load(); },
                  {.patience = patience_, .is_interrupted = plan_.is_interrupted});
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    report_.games += finished_;
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
                 {"first", finding.first},
                 {"worst_ms", finding.worst_ms}}));
    });
    if (const absl::Status made = checker.Make(options_); !made.ok()) {
      return send(Dump(ErrorJson(made)));
    }
    checker.PlayGames(first, plan_, [&] { send(Dump({{"plies", checker.plies()}})); });
    checker.Finish();
  }

  void Take(const Json& json) {
    if (json.contains("error")) {
      error_ = ErrorFrom(json);
    } else if (json.contains("plies")) {
      plies_ = json["plies"];
      ++finished_;
    } else {
      report_.Add({.is_fault = json["is_fault"],
                   .what = json["what"],
                   .count = json["count"],
                   .first = json["first"],
                   .worst_ms = json["worst_ms"]});
    }
  }

  const std::string& path_;
  const GameInfo& game_;
  const std::map<std::string, std::string>& options_;
  const CheckPlan& plan_;
  const milliseconds patience_;
  const SharedWithChildren<PluginPlace> place_;
  BotReport report_;
  absl::Status error_;
  int64_t finished_ = 0;  // games of this child
  int64_t plies_ = 0;     // of these games
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
          [&] { return place->calls.load(); }, {.patience = patience}));
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
                       [&] { return place->calls.load(); }, {.patience = patience}));
  return end.is_done ? status : Died(path, end, *place);
}

absl::StatusOr<BotReport> CheckPlugin(const std::string& path, const GameInfo& game,
                                      const std::map<std::string, std::string>& options,
                                      const CheckPlan& plan, milliseconds patience) {
  return Check(path, game, options, plan, patience).Run();
}

}  // namespace triarch
