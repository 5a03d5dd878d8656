#include "spec/tournament_draft.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/odds.h"
#include "core/record/spec_words.h"
#include "core/schedule/format_games.h"
#include "core/schedule/schedule.h"
#include "spec/bot_flag.h"
#include "spec/bot_word.h"
#include "spec/opening_lines.h"
#include "spec/opening_sets.h"
#include "spec/suggestion.h"
#include "spec/tournament_options.h"
#include "spec/tuned_options.h"

namespace triarch {
namespace {

constexpr int64_t kTestGames = 200'000;  // by default, also of best-of
constexpr int64_t kTuneGames = 30'000;

// Writes "--games is 5" for "games is 5" at "--games: ".
absl::Status ErrorAt(std::string_view where, std::string_view message) {
  if (where.starts_with("--") && where.ends_with(": ")) {
    const std::string_view flag = where.substr(0, where.size() - 2);
    const std::string key = std::string(flag.substr(2)) + " is ";
    if (message.starts_with(key)) where = "--";
  }
  return absl::InvalidArgumentError(absl::StrFormat("%s%s", where, message));
}

// Whether the option can set the number of games in this format.
bool DecidesGames(std::string_view key, Format format) {
  return format <= Format::kAdaptive || (format == Format::kLeague && key == "cycles");
}

// Names a tournament of that format, for its default name.
std::string_view NameOf(Format format) {
  switch (format) {
    case Format::kSwiss:
      return "Swiss event";
    case Format::kKnockout:
      return "knock-out";
    case Format::kLeague:
      return "league";
    default:
      return "tournament";
  }
}

class Resolver {
 public:
  Resolver(const TournamentDraft& draft, const TournamentHooks& hooks)
      : draft_(draft), hooks_(hooks) {}

  absl::StatusOr<TournamentSpec> Resolve() {
    RETURN_IF_ERROR(CheckGame());
    if (const auto conflict = FindConflict(draft_.values)) {
      return At(conflict->key, conflict->message);
    }
    SetOptions(WithDefaults(), &spec_);
    SetStructures();
    SetName();
    RETURN_IF_ERROR(SetStart());
    RETURN_IF_ERROR(SetBots());
    RETURN_IF_ERROR(SetTune());
    RETURN_IF_ERROR(SetHypotheses());
    RETURN_IF_ERROR(SetOpenings());
    RETURN_IF_ERROR(SetGames());
    RETURN_IF_ERROR(SetAnchor());
    RETURN_IF_ERROR(CheckData());
    return std::move(spec_);
  }

 private:
  bool IsGiven(std::string_view key) const { return draft_.values.contains(key); }
  const std::string& TextOf(std::string_view key) const {
    return std::get<std::string>(draft_.values.at(key));
  }
  absl::Status At(std::string_view key, std::string_view message) const {
    const auto where = draft_.where.find(key);
    return ErrorAt(where == draft_.where.end() ? draft_.start : where->second, message);
  }

  absl::Status CheckGame() const;
  OptionValues WithDefaults() const;
  void SetStructures();
  void SetName();
  absl::Status SetStart();
  absl::Status SetBots();
  absl::Status SetTune();
  absl::Status SetHypotheses();
  absl::Status SetOpenings();
  absl::Status SetOpeningSet();
  absl::Status SetPositions();
  absl::Status SetTpgn();
  absl::Status SetGames();
  absl::Status CheckFormatDecidesGames() const;
  absl::Status SetAnchor();
  absl::Status CheckData() const;

  const TournamentDraft& draft_;
  const TournamentHooks& hooks_;
  TournamentSpec spec_;
};

absl::Status Resolver::CheckGame() const {
  if (!IsGiven("game")) return At("game", "game is missing; expected a game's name");
  const absl::Status status = CheckGameName(TextOf("game"));
  return status.ok() ? status : At("game", Message(status));
}

OptionValues Resolver::WithDefaults() const {
  OptionValues values = draft_.values;
  for (const Option& option : TournamentOptions()) {
    const bool has_default = !std::holds_alternative<std::monostate>(option.default_value);
    if (has_default) values.try_emplace(option.key, option.default_value);
  }
  return values;
}

void Resolver::SetStructures() {
  if (!spec_.selfplay || draft_.temperature.empty()) return;
  SelfplaySpec selfplay = *spec_.selfplay;
  selfplay.temperature = draft_.temperature;
  spec_.selfplay = std::make_shared<const SelfplaySpec>(std::move(selfplay));
}

void Resolver::SetName() {
  if (IsGiven("name")) return;
  spec_.name = absl::StrFormat("%s %s", (*FindGame(spec_.game))->variant,
                               spec_.selfplay  ? "self-play"
                               : spec_.test    ? "test"
                               : spec_.best_of ? "best-of"
                               : spec_.tune    ? "tuning"
                                               : NameOf(spec_.format));
}

absl::Status Resolver::SetStart() {
  if (!IsGiven("start")) return absl::OkStatus();
  if (IsGiven("openings.positions")) {
    return At("start", "start has no effect with openings.positions; give one of them");
  }
  const std::span<const std::string_view> starts = AnyState::Starts(spec_.game);
  for (const std::string_view known : starts) {
    if (known != spec_.start) continue;
    // Naming the default start gives the same tournament as omitting it.
    if (known == starts.front()) spec_.start.clear();
    return absl::OkStatus();
  }
  return At("start", absl::StrFormat("start is %s%s", Quote(spec_.start),
                                     ExpectedOneOf(spec_.start, starts)));
}

// Returns an example of another name for the bot.
std::string OtherName(const BotSpec& bot, bool is_in_file) {
  if (bot.bundle.empty() && !IsUserSupplied(bot)) {
    return is_in_file ? "{name: other, bot: " + bot.bot + "}" : "other=" + bot.bot;
  }
  // A path is the name of a bot without one.
  if (bot.bundle.empty() && bot.name.find('/') != std::string::npos) return "other=" + bot.name;
  if (is_in_file) return "name: other";
  return bot.bundle.empty() ? "other=./mine/bot.py" : "other=./mine";
}

absl::Status Resolver::SetBots() {
  if (!IsGiven("bots")) return At("bots", "bots is missing; expected a list of bots");
  std::set<std::string_view> names;
  for (const auto& [bot, where] : draft_.bots) {
    if (!names.insert(bot.name).second) {
      const bool is_in_file = !draft_.file.empty() && !where.starts_with("--");
      return ErrorAt(where, absl::StrFormat("two bots are named %s; expected another name for one "
                                            "of them, as in %s",
                                            bot.name, OtherName(bot, is_in_file)));
    }
    spec_.bots.push_back(bot);
  }
  const bool is_timed = std::any_of(spec_.bots.begin(), spec_.bots.end(), [&](const BotSpec& bot) {
    return !TimeControlOf(spec_.time_control, bot).is_deterministic();
  });
  if (is_timed || !spec_.time_control.charges_cpu) return absl::OkStatus();
  return At("time_control.clock",
            "time_control.clock: cpu needs a time to count; give tc or movetime_ms");
}

// Turns the bot to tune into its two copies.
absl::Status Resolver::SetTune() {
  if (!spec_.tune) return absl::OkStatus();
  if (spec_.bots.size() != 1) {
    return At("bots", absl::StrFormat("there are %d bots; expected one to tune, of which two "
                                      "copies play",
                                      spec_.bots.size()));
  }
  if (draft_.tuned.empty()) return At("mode", "nothing to tune; expected tune.options");
  BotSpec& bot = spec_.bots[0];
  TuneSpec tune = *spec_.tune;
  ASSIGN_OR_RETURN(tune.options, ResolveTunedOptions(draft_.tuned, spec_.game, bot, hooks_));
  spec_.tune = std::make_shared<const TuneSpec>(std::move(tune));
  BotSpec minus = bot;
  bot.name += '+';
  minus.name += '-';
  spec_.bots.push_back(std::move(minus));
  return absl::OkStatus();
}

absl::Status Resolver::SetHypotheses() {
  if (!spec_.test) return absl::OkStatus();
  if (IsGiven("test.elo") && IsGiven("test.nelo")) {
    return At("test.nelo", "give either test.elo or test.nelo");
  }
  if (IsGiven("test.elo") || IsGiven("test.nelo")) return absl::OkStatus();
  TestSpec test = *spec_.test;
  test.elo = {0, 5};
  spec_.test = std::make_shared<const TestSpec>(test);
  return absl::OkStatus();
}

absl::Status Resolver::SetOpenings() {
  std::string_view source;
  for (const std::string_view key :
       {"openings.random_plies", "openings.set", "openings.positions", "openings.tpgn"}) {
    if (!IsGiven(key)) continue;
    if (!source.empty()) return At(key, absl::StrFormat("give either %s or %s", source, key));
    source = key;
  }
  if (source == "openings.set") return SetOpeningSet();
  if (source == "openings.positions") return SetPositions();
  if (source == "openings.tpgn") return SetTpgn();
  return absl::OkStatus();
}

absl::Status Resolver::SetOpeningSet() {
  if (!spec_.start.empty()) {
    return At("openings.set", "the openings of a set begin at the usual start; expected no start");
  }
  const std::string_view tpgn = BalancedOpenings(spec_.game);
  if (tpgn.empty()) {
    return At("openings.set", absl::StrFormat("there are no balanced openings for %s", spec_.game));
  }
  spec_.openings.random_plies = 0;
  ASSIGN_OR_RETURN(const AnyState start, AnyState::Start(spec_.game, "", spec_.draw_rules));
  ASSIGN_OR_RETURN(spec_.openings.lines, LinesFromTpgn(start, tpgn, {}, spec_.draw_rules));
  return absl::OkStatus();
}

absl::Status Resolver::SetPositions() {
  spec_.openings.random_plies = 0;
  for (const auto& [position, where] : draft_.positions) {
    absl::StatusOr<Openings::Line> line = LineFromPosition(spec_.game, position, spec_.draw_rules);
    if (!line.ok()) {
      return ErrorAt(where, absl::StrFormat("position: %s", Message(line.status())));
    }
    spec_.openings.lines.push_back(*std::move(line));
  }
  return absl::OkStatus();
}

absl::Status Resolver::SetTpgn() {
  spec_.openings.random_plies = 0;
  std::optional<int64_t> plies;
  if (IsGiven("openings.plies")) plies = std::get<int64_t>(draft_.values.at("openings.plies"));
  const auto folder = std::filesystem::path(draft_.file).parent_path();
  const std::string path = (folder / TextOf("openings.tpgn")).string();
  const absl::StatusOr<std::string> text = hooks_.read_file(path);
  if (!text.ok()) return At("openings.tpgn", Message(text.status()));
  ASSIGN_OR_RETURN(const AnyState start,
                   AnyState::Start(spec_.game, spec_.start, spec_.draw_rules));
  absl::StatusOr<std::vector<Openings::Line>> lines =
      LinesFromTpgn(start, *text, plies, spec_.draw_rules);
  if (!lines.ok()) {
    return At("openings.tpgn", absl::StrFormat("%s: %s", path, Message(lines.status())));
  }
  spec_.openings.lines = *std::move(lines);
  return absl::OkStatus();
}

absl::Status Resolver::SetGames() {
  if (const absl::Status status = CheckPliesMax(spec_); !status.ok()) {
    return At("adjudication.plies_max", Message(status));
  }
  const bool is_test = spec_.test || spec_.best_of;
  if (is_test && !IsGiven("games")) spec_.games = kTestGames;
  if (spec_.tune && !IsGiven("games")) spec_.games = kTuneGames;
  const absl::StatusOr<Schedule> schedule = Schedule::Make(spec_);
  if (!schedule.ok()) {
    const std::string_view message = Message(schedule.status());
    const bool is_of_games = IsGiven("games") && message.starts_with("games is ");
    return At(is_of_games ? "games" : is_test || spec_.tune ? "mode" : "bots", message);
  }
  if (is_test || spec_.tune) return absl::OkStatus();
  RETURN_IF_ERROR(CheckFormatDecidesGames());
  if (IsGiven("games") && IsGiven("cycles")) return At("cycles", "give either games or cycles");
  const FormatOptions& format = spec_.format_options;
  if (format.adaptive_goal == AdaptiveGoal::kBest && IsGiven("adaptive.error")) {
    return At("adaptive.error", "adaptive.error applies only to adaptive.goal: ratings");
  }
  if (IsGiven("games")) {
    const int64_t match = schedule->games_per_round();
    if (!IsPlanned(spec_) || spec_.games >= match) return absl::OkStatus();
    return At("games", absl::StrFormat("games is %d; expected at least %d, the games of one match",
                                       spec_.games, match));
  }
  if (spec_.format == Format::kSwiss && !IsGiven("swiss.rounds")) {
    spec_.format_options.swiss_rounds = DefaultSwissRounds(spec_.bots.size());
  }
  const int64_t round = IsPlanned(spec_) ? GamesOfFormat(spec_) : schedule->games_per_round();
  const int64_t cycles = IsGiven("cycles") ? std::get<int64_t>(draft_.values.at("cycles")) : 1;
  if (cycles > kGamesMax / round) {
    return At("cycles", absl::StrFormat("cycles is %d; expected a whole number from 1 to %d, as a "
                                        "cycle has %d games",
                                        cycles, kGamesMax / round, round));
  }
  spec_.games = cycles * round;
  return absl::OkStatus();
}

absl::Status Resolver::CheckFormatDecidesGames() const {
  for (const std::string_view key : {"games", "cycles"}) {
    if (!IsGiven(key) || DecidesGames(key, spec_.format)) continue;
    return At(key, absl::StrFormat("%s has no effect with format: %s, which decides how many "
                                   "games there are",
                                   key, kFormatWords[static_cast<size_t>(spec_.format)]));
  }
  return absl::OkStatus();
}

absl::Status Resolver::SetAnchor() {
  if (!IsGiven("anchor")) return absl::OkStatus();
  std::vector<std::string_view> names;
  for (const BotSpec& bot : spec_.bots) names.push_back(bot.name);
  if (std::find(names.begin(), names.end(), spec_.anchor) != names.end()) return absl::OkStatus();
  // A bundle's bot may be named without its version.
  std::vector<std::string> meant;
  for (const BotSpec& bot : spec_.bots) {
    if (!bot.bundle.empty() && GivenBotName(bot.name) == spec_.anchor) meant.push_back(bot.name);
  }
  if (meant.size() == 1) {
    spec_.anchor = meant[0];
    return absl::OkStatus();
  }
  if (meant.empty()) {
    return At("anchor", absl::StrFormat("anchor %s is not a bot of this tournament%s",
                                        Quote(spec_.anchor), ExpectedOneOf(spec_.anchor, names)));
  }
  std::string list;
  for (const std::string& name : meant) list += (list.empty() ? "" : ", ") + Quote(name);
  return At("anchor", absl::StrFormat("anchor %s is the name of several bots; expected one of %s",
                                      Quote(spec_.anchor), list));
}

absl::Status Resolver::CheckData() const {
  if (!spec_.selfplay || !spec_.data.empty()) return absl::OkStatus();
  return At("mode", "mode: selfplay needs output.data, the folder or bucket for the samples");
}

}  // namespace

absl::Status CheckGameName(std::string_view name) {
  if (!name.empty() && FindGame(name).ok()) return absl::OkStatus();
  std::vector<std::string_view> names;
  for (const GameInfo* game : AllGames()) names.push_back(game->name);
  return absl::InvalidArgumentError(
      absl::StrFormat("game is %s%s", Quote(name), ExpectedOneOf(name, names)));
}

absl::Status SetFlag(const Option& option, std::string_view text, TournamentDraft* draft) {
  const std::string flag = FlagName(option);
  std::optional<OptionValue> value = ParseOption(option, text);
  if (!value) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is %s%s", flag, Quote(text), Expectation(option, text)));
  }
  const auto is_from_file = [draft](std::string_view key) {
    const auto where = draft->where.find(key);
    return where != draft->where.end() && !where->second.starts_with("--");
  };
  if (option.key == "game" && is_from_file("game") && draft->values["game"] != *value) {
    return absl::InvalidArgumentError(
        absl::StrFormat("--game: %s is for %s, not for %s", draft->file,
                        std::get<std::string>(draft->values["game"]), Quote(text)));
  }
  // The options that the flag replaces.
  const std::vector<std::string_view> others =
      option.key == "games"    ? std::vector<std::string_view>{"cycles"}
      : option.key == "cycles" ? std::vector<std::string_view>{"games"}
      : option.key == "openings.random_plies"
          ? std::vector<std::string_view>{"openings.set", "openings.positions", "openings.tpgn",
                                          "openings.plies"}
      : option.key == "openings.set"
          ? std::vector<std::string_view>{"openings.random_plies", "openings.positions",
                                          "openings.tpgn", "openings.plies"}
          : std::vector<std::string_view>{};
  for (const std::string_view key : others) {
    if (is_from_file(key)) draft->values.erase(key);
  }
  draft->values[option.key] = *std::move(value);
  draft->where[option.key] = flag + ": ";
  return absl::OkStatus();
}

absl::Status SetBotFlags(std::string_view words, const TournamentHooks& hooks,
                         TournamentDraft* draft, std::string_view where) {
  const auto game = draft->values.find("game");
  draft->values["bots"] = {};
  draft->where["bots"] = std::string(where);
  draft->bots.clear();
  // ResolveDraft reports a game that is missing or unknown.
  if (game == draft->values.end()) return absl::OkStatus();
  const auto& name = std::get<std::string>(game->second);
  if (!CheckGameName(name).ok()) return absl::OkStatus();
  for (const std::string_view word : SplitBots(words)) {
    absl::StatusOr<BotSpec> bot = ReadBotWord(word, "", name, hooks);
    if (!bot.ok()) return ErrorAt(where, Message(bot.status()));
    draft->bots.push_back({*std::move(bot), std::string(where)});
  }
  return absl::OkStatus();
}

absl::StatusOr<TournamentSpec> ResolveDraft(const TournamentDraft& draft,
                                            const TournamentHooks& hooks) {
  return Resolver(draft, hooks).Resolve();
}

}  // namespace triarch
