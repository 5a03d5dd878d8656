#include "cli/tournament/game_selection.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/store/store_rules.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/game_conditions.h"

namespace triarch {
namespace {

constexpr const char* kByPlies = "plies";

bool IsSameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Finds a seat by its name or letter.
absl::StatusOr<Seat> FindSeat(const GameInfo& info, std::string_view text) {
  std::string known;
  for (size_t i = 0; i < info.seats; ++i) {
    const std::string_view name = info.seat_names[i];
    const std::string_view letter(&info.seat_letters[i], 1);
    if (IsSameWord(text, name) || IsSameWord(text, letter)) return SeatAt(i);
    known +=
        absl::StrFormat("%s%s (%s)", i == 0 ? "" : ", ", std::string(name), std::string(letter));
  }
  return absl::InvalidArgumentError("--seat: no seat " + Quote(text) + "; expected one of " +
                                    known);
}

absl::StatusOr<GameConditions> ConditionsOf(const TournamentSpec& spec,
                                            const SelectionOptions& options) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(spec.game));
  GameConditions conditions;
  conditions.seats = info->seats;
  conditions.has_faults = options.has_faults;
  conditions.termination = ParseTermination(options.termination);
  if (options.round) conditions.match = *options.round - 1;
  if (options.bot) {
    ASSIGN_OR_RETURN(conditions.bot, FindBot(spec, *options.bot));
  }
  if (options.seat) {
    ASSIGN_OR_RETURN(conditions.seat, FindSeat(*info, *options.seat));
  }
  return conditions;
}

// Visits the games from the longest to the shortest. With TPGN, reads each again.
absl::Status VisitByPlies(RecordedTournament& recorded, std::vector<GameSummary> games,
                          bool with_tpgn, RecordedTournament::Visitor visit) {
  std::stable_sort(games.begin(), games.end(),
                   [](const GameSummary& a, const GameSummary& b) { return a.plies > b.plies; });
  for (const GameSummary& game : games) {
    if (with_tpgn) {
      const GameFilter only{.bot = {}, .first = game.index, .last = game.index};
      RETURN_IF_ERROR(recorded.VisitGames(only, true, visit));
    } else {
      RETURN_IF_ERROR(visit(game, {}));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddSelectionOptions(const Command& command, SelectionOptions* options) {
  std::vector<std::string> terminations;
  for (int i = 0; i < static_cast<int>(Termination::kAbandoned); ++i) {
    terminations.emplace_back(ToString(static_cast<Termination>(i)));
  }
  command.AddText({"--bot", "NAME", "Only games of this bot"}, &options->bot);
  command.AddText(
      {"--seat", "SEAT", "Only games in which --bot sat there: the seat's name or letter"},
      &options->seat);
  command.AddFlag({"--faults", "",
                   "Only games in which a bot (with --bot: that bot) ended by\n"
                   "time_forfeit, illegal_move or crash"},
                  &options->has_faults);
  command.AddChoice({"--termination", "WORD",
                     "Only games that ended, or in which a bot (with --bot:\n"
                     "that bot) ended by checkmate, crash, … (docs/tpgn.md)"},
                    terminations, &options->termination);
  command.AddNumber({"--round", "N", "Only games of match N, whose ids begin with N"},
                    {1, INT64_MAX}, &options->round);
  command.AddChoice({"--sort", "ORDER", "id, or plies for the longest games first"},
                    {"id", kByPlies}, &options->order);
}

absl::Status CheckSelectionOptions(const SelectionOptions& options) {
  if (options.seat && !options.bot) return absl::InvalidArgumentError("--seat needs --bot NAME");
  return absl::OkStatus();
}

absl::Status VisitSelected(RecordedTournament& recorded, const SelectionOptions& options,
                           bool with_tpgn, RecordedTournament::Visitor visit) {
  ASSIGN_OR_RETURN(const GameConditions conditions, ConditionsOf(recorded.spec(), options));
  const GameFilter filter{.bot = options.bot};
  if (options.order != kByPlies) {
    return recorded.VisitGames(
        filter, with_tpgn, [&](const GameSummary& game, std::string_view tpgn) {
          return conditions.AreMetBy(game) ? visit(game, tpgn) : absl::OkStatus();
        });
  }
  std::vector<GameSummary> games;
  RETURN_IF_ERROR(
      recorded.VisitGames(filter, false, [&](const GameSummary& game, std::string_view) {
        if (conditions.AreMetBy(game)) games.push_back(game);
        return absl::OkStatus();
      }));
  return VisitByPlies(recorded, std::move(games), with_tpgn, visit);
}

}  // namespace triarch
