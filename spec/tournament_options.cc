#include "spec/tournament_options.h"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/any_state.h"
#include "core/record/spec_words.h"
#include "spec/opening_sets.h"

namespace triarch {
namespace {

// ---- Fields.

OptionValue ToValue(const std::string& text) { return text; }
OptionValue ToValue(uint64_t number) { return number; }
OptionValue ToValue(double number) { return number; }
OptionValue ToValue(const NumberPair& pair) { return pair; }
OptionValue ToValue(int64_t number) { return number; }
template <class T>
OptionValue ToValue(const std::optional<T>& value) {
  return value ? OptionValue(*value) : OptionValue();
}
template <class T>
requires std::is_enum_v<T> || std::is_same_v<T, bool> OptionValue ToValue(T value) {
  return static_cast<int64_t>(value);
}

template <class T>
void SetValue(const OptionValue& value, T* field) {
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
    *field = static_cast<T>(std::get<int64_t>(value));
  } else if constexpr (std::is_same_v<T, std::optional<int64_t>>) {
    *field = std::get<int64_t>(value);
  } else if constexpr (std::is_same_v<T, std::optional<ClockSpec>>) {
    *field = std::get<ClockSpec>(value);
  } else {
    *field = std::get<T>(value);
  }
}

// A member of a spec, or a nested member: Field<&TournamentSpec::openings, &Openings::…>().
template <auto... path>
constexpr OptionField Field() {
  return {.get = [](const TournamentSpec& spec) { return ToValue((spec.*....*path)); },
          .set = [](TournamentSpec& spec,
                    const OptionValue& value) { SetValue(value, &(spec.*....*path)); }};
}

// The part of a spec that only one mode has.
template <class T>
using Part = std::shared_ptr<const T>;

// A member of the part of a mode, which is shared and constant, so a change creates a new one.
template <auto part, auto member>
constexpr OptionField PartField() {
  using T = std::remove_cvref_t<decltype(*(std::declval<TournamentSpec&>().*part))>;
  return {.get =
              [](const TournamentSpec& spec) {
                return spec.*part ? ToValue((*(spec.*part)).*member) : OptionValue();
              },
          .set =
              [](TournamentSpec& spec, const OptionValue& value) {
                T copy = spec.*part ? *(spec.*part) : T();
                SetValue(value, &(copy.*member));
                spec.*part = std::make_shared<const T>(std::move(copy));
              }};
}

template <auto member>
constexpr OptionField SelfplayField() {
  return PartField<&TournamentSpec::selfplay, member>();
}
template <auto member>
constexpr OptionField TestPart() {
  return PartField<&TournamentSpec::test, member>();
}
template <auto member>
constexpr OptionField BestOfField() {
  return PartField<&TournamentSpec::best_of, member>();
}
template <auto member>
constexpr OptionField TuneField() {
  return PartField<&TournamentSpec::tune, member>();
}

// Creates the part or removes it.
template <class T>
void SetPart(bool has_it, Part<T>* part) {
  if (!has_it) part->reset();
  if (has_it && !*part) *part = std::make_shared<const T>();
}

OptionMode ModeOfSpec(const TournamentSpec& spec) {
  if (spec.selfplay) return OptionMode::kSelfplay;
  if (spec.test) return OptionMode::kTest;
  if (spec.best_of) return OptionMode::kBestOf;
  return spec.tune ? OptionMode::kTune : OptionMode::kTournament;
}

// A spec has the part of its mode.
constexpr OptionField ModeField() {
  return {.get =
              [](const TournamentSpec& spec) {
                return ToValue(static_cast<int64_t>(ModeOfSpec(spec)) - 1);
              },
          .set =
              [](TournamentSpec& spec, const OptionValue& value) {
                const auto mode = static_cast<OptionMode>(std::get<int64_t>(value) + 1);
                SetPart(mode == OptionMode::kSelfplay, &spec.selfplay);
                SetPart(mode == OptionMode::kTest, &spec.test);
                SetPart(mode == OptionMode::kBestOf, &spec.best_of);
                SetPart(mode == OptionMode::kTune, &spec.tune);
              }};
}

// ---- The table.

constexpr std::array<std::string_view, 5> kModeWords = {"tournament", "selfplay", "test", "best-of",
                                                        "tune"};
constexpr std::array<std::string_view, 2> kClockWords = {"wall", "cpu"};
constexpr std::array<std::string_view, 2> kCompressionWords = {"stored", "deflate"};

constexpr IntBounds kNodes = {1, 1'000'000'000'000};
constexpr IntBounds kTimeMs = {1, 1'000'000'000};
constexpr IntBounds kTimeMsOrZero = {0, 1'000'000'000};
constexpr IntBounds kPlies = {1, 1'000'000};
constexpr NumberBounds kShare = {0, 1};

std::string ListOf(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) {
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return list;
}

const std::string& GameHelp() {
  static const std::string kHelp = [] {
    std::vector<std::string_view> names;
    for (const GameInfo* game : AllGames()) names.push_back(game->name);
    return "The game: " + ListOf(names);
  }();
  return kHelp;
}

const std::string& StartHelp() {
  static const std::string kHelp = [] {
    std::string help = "A named start of the game";
    for (const GameInfo* game : AllGames()) {
      help += game == AllGames().front() ? ": " : "; ";
      help += std::string(game->name) + " has " + ListOf(AnyState::Starts(game->name));
    }
    return help;
  }();
  return kHelp;
}

std::vector<Option> MakeOptions() {
  using Spec = TournamentSpec;
  using Play = SelfplaySpec;
  using Test = TestSpec;
  constexpr OptionMode kRated = OptionMode::kTournament;
  constexpr OptionMode kSelfplay = OptionMode::kSelfplay;
  constexpr OptionMode kTest = OptionMode::kTest;
  return {
      {.key = "game",
       .type = Text{"GAME"},
       .field = Field<&Spec::game>(),
       .help = GameHelp(),
       .default_text = "triumvirate in flags, required in a file"},
      {.key = "mode",
       .type = Words(kModeWords),
       .field = ModeField(),
       .help =
           "What the games are for: a tournament rates the bots, selfplay makes training data, a "
           "test decides whether the first bot is stronger than the second, best-of finds the best "
           "variant of the first bot, and tune improves a bot's options"},
      {.key = "name",
       .type = Text{},
       .field = Field<&Spec::name>(),
       .help = "The Event tag of the games",
       .default_text = "the game and the mode: Tri-D tournament"},
      {.key = "start",
       .type = Text{"NAME"},
       .field = Field<&Spec::start>(),
       .help = StartHelp(),
       .default_text = "the first"},
      {.key = "bots",
       .type = Structure{"a list of bots"},
       .help = "The bots: at least as many as the game has seats (in self-play at least one), see "
               "below",
       .default_text = "required",
       .has_flag = false},
      {.key = "format",
       .type = Words(kFormatWords),
       .field = Field<&Spec::format>(),
       .help = "Which bots meet: every set that fills a table, only the sets with the first bot, "
               "or matches that are chosen by the results so far",
       .mode = kRated},
      {.key = "games",
       .type = IntBounds{1, kGamesMax},
       .field = Field<&Spec::games>(),
       .help =
           "How many games to play in total; in a test, the maximum. May be raised when a run is "
           "continued, except a tuning",
       .default_text = "one round; 200000 in a test or best-of, 30000 in a tuning",
       .is_identity = false},
      {.key = "cycles",
       .type = IntBounds{1, 1'000'000'000},
       .help = "Alternative to games: how many rounds to play, each with every set of bots in "
               "every seating",
       .default_text = "1",
       .mode = kRated},
      {.key = "seed",
       .type = SeedBounds{},
       .field = Field<&Spec::seed>(),
       .help = "Determines all random choices"},
      {.key = "anchor",
       .type = Text{"BOT"},
       .field = Field<&Spec::anchor>(),
       .help = "The bot whose rating is 0",
       .default_text = "the mean rating is 0",
       .mode = kRated,
       .is_identity = false},
      {.key = "slots",
       .type = IntBounds{0, 4096},
       .field = Field<&Spec::slots>(),
       .help = "How many games to play at a time; 0 means one per core",
       .is_identity = false},
      {.key = "search_info",
       .type = Words(kOnOffWords),
       .field = Field<&Spec::search_info>(),
       .help = "Whether to record what the bots say about each move: depth, nodes, expected line "
               "and explanation. Takes space",
       .is_identity = false},

      {.key = "adaptive.goal",
       .type = Words(kAdaptiveGoalWords),
       .field = Field<&Spec::format_options, &FormatOptions::adaptive_goal>(),
       .help = "What the matches are chosen for: small errors of all ratings, or to find out which "
               "bot is the best; in that case the tournament ends when it is known",
       .mode = kRated,
       .format = Format::kAdaptive},
      {.key = "adaptive.error",
       .type = NumberBounds{0, 1000},
       .field = Field<&Spec::format_options, &FormatOptions::adaptive_error>(),
       .unit = "Elo",
       .help = "Ends the tournament when half of the bots have a 95 % interval of at most plus or "
               "minus this",
       .default_text = "never",
       .mode = kRated,
       .format = Format::kAdaptive},
      {.key = "swiss.rounds",
       .type = IntBounds{1, 1'000},
       .field = Field<&Spec::format_options, &FormatOptions::swiss_rounds>(),
       .help = "How many rounds to play",
       .default_text = "log₂ of the number of bots, rounded up: 4 for 12 bots, 6 for 60",
       .mode = kRated,
       .format = Format::kSwiss},
      {.key = "knockout.advancing",
       .type = IntBounds{1, 2},
       .field = Field<&Spec::format_options, &FormatOptions::knockout_advancing>(),
       .help = "How many bots of each table advance; with two seats 1",
       .mode = kRated,
       .format = Format::kKnockout},
      {.key = "league.division",
       .type = IntBounds{3, 1'000},
       .field = Field<&Spec::format_options, &FormatOptions::league_division>(),
       .help = "About how many bots play in a division",
       .mode = kRated,
       .format = Format::kLeague},

      {.key = "openings.random_plies",
       .type = IntBounds{0, 200},
       .field = Field<&Spec::openings, &Openings::random_plies>(),
       .unit = "plies",
       .help = "Start each match with random legal moves, which eliminate no player",
       .default_value = int64_t{4}},
      {.key = "openings.set",
       .type = Words(kOpeningSetWords),
       .help = "Alternative to random plies: the openings of this set, which give all seats about "
               "equal "
               "chances; used in turn, one per round; in a test, drawn at random for each match",
       .default_text = "none",
       .flag = "--opening-set"},
      {.key = "openings.positions",
       .type = Structure{"a list of texts"},
       .help = "Alternative to random plies: positions in any text form of the game, used in turn, "
               "one per round",
       .default_text = "none",
       .has_flag = false},
      {.key = "openings.tpgn",
       .type = Text{"FILE"},
       .help = "Alternative to random plies: a TPGN file whose games give the opening moves, used "
               "in turn, one per round; relative to the tournament file",
       .default_text = "none",
       .has_flag = false},
      {.key = "openings.plies",
       .type = IntBounds{1, 10'000},
       .help = "How many moves of each of these games to play",
       .default_text = "all",
       .needs = "openings.tpgn",
       .has_flag = false},

      {.key = "time_control.tc",
       .type = ClockType{},
       .field = Field<&Spec::time_control, &TimeControl::clock>(),
       .help = "Clock of each player: its time for the game, or for every MOVES of its moves, and "
               "the time added after each of its moves"},
      {.key = "time_control.nodes",
       .type = kNodes,
       .field = Field<&Spec::time_control, &TimeControl::nodes>(),
       .help = "Limits a bot's search to this many nodes per move"},
      {.key = "time_control.depth",
       .type = IntBounds{1, 100},
       .field = Field<&Spec::time_control, &TimeControl::depth>(),
       .unit = "plies",
       .help = "Limits a bot's search depth"},
      {.key = "time_control.movetime_ms",
       .type = kTimeMs,
       .field = Field<&Spec::time_control, &TimeControl::movetime_ms>(),
       .unit = "ms",
       .help = "Time per move"},
      {.key = "time_control.margin_ms",
       .type = kTimeMsOrZero,
       .field = Field<&Spec::time_control, &TimeControl::margin_ms>(),
       .unit = "ms",
       .help = "A player that exceeds its time by more than this forfeits"},
      {.key = "time_control.clock",
       .type = Words(kClockWords),
       .field = Field<&Spec::time_control, &TimeControl::charges_cpu>(),
       .help = "Which time counts: wall-clock time, or a bot's own CPU time (all threads and "
               "processes of a process bot)"},

      {.key = "adjudication.plies_max",
       .type = kPlies,
       .field = Field<&Spec::adjudication, &Adjudication::plies_max>(),
       .unit = "plies",
       .help = "After this many plies, including the opening, the survivors share a draw"},
      {.key = "adjudication.win_share",
       // With half of the points or less, evaluations would not agree on a winner.
       .type = NumberBounds{0.5, 1},
       .field = Field<&Spec::adjudication, &Adjudication::win_share>(),
       .help = "Adjudicates a win when all bots' evaluations give one seat this share of the "
               "points",
       .default_text = "never"},
      {.key = "adjudication.win_plies",
       .type = kPlies,
       .field = Field<&Spec::adjudication, &Adjudication::win_plies>(),
       .unit = "plies",
       .help = "For how many plies in a row the evaluations must give that share",
       .needs = "adjudication.win_share"},
      {.key = "adjudication.draw_margin",
       .type = NumberBounds{0, 0.5},
       .field = Field<&Spec::adjudication, &Adjudication::draw_margin>(),
       .help =
           "Adjudicates a draw when all bots' evaluations give every survivor an equal share of "
           "the points, within this margin",
       .default_text = "never"},
      {.key = "adjudication.draw_plies",
       .type = kPlies,
       .field = Field<&Spec::adjudication, &Adjudication::draw_plies>(),
       .unit = "plies",
       .help = "For how many plies in a row the evaluations must be equal",
       .needs = "adjudication.draw_margin"},
      {.key = "adjudication.draw_after",
       .type = IntBounds{0, 1'000'000},
       .field = Field<&Spec::adjudication, &Adjudication::draw_after>(),
       .unit = "plies",
       .help = "No such draw before this many plies, including the opening",
       .needs = "adjudication.draw_margin"},
      {.key = "adjudication.win_material",
       .type = IntBounds{1, 100'000},
       .field = Field<&Spec::adjudication, &Adjudication::win_material>(),
       .help = "Adjudicates a win when one seat has this much more material than every other "
               "survivor, in hundredths of a pawn",
       .default_text = "never"},
      {.key = "adjudication.material_plies",
       .type = kPlies,
       .field = Field<&Spec::adjudication, &Adjudication::material_plies>(),
       .unit = "plies",
       .help = "For how many plies in a row it must have this lead",
       .needs = "adjudication.win_material"},
      {.key = "adjudication.idle_plies",
       .type = kPlies,
       .field = Field<&Spec::adjudication, &Adjudication::idle_plies>(),
       .unit = "plies",
       .help = "Adjudicates a draw after this many plies without a capture or pawn move, if the "
               "survivors have about equal material",
       .default_text = "never"},
      {.key = "adjudication.idle_material",
       .type = IntBounds{0, 100'000},
       .field = Field<&Spec::adjudication, &Adjudication::idle_material>(),
       .help = "By how much their material may differ, in hundredths of a pawn",
       .needs = "adjudication.idle_plies"},
      {.key = "draws",
       .type = Words(kDrawsWords),
       .field = Field<&Spec::draw_rules, &DrawRules::draws>(),
       .help = "Whether the match claims draws (repetition, move count) or the bots must"},
      {.key = "insufficient_material",
       .type = Words(kOnOffWords),
       .field = Field<&Spec::draw_rules, &DrawRules::insufficient_material>(),
       .help = "Whether a game is a draw when no player has the material to win",
       .game_has_it = [](const GameInfo& game) { return game.has_material_option; }},

      {.key = "selfplay.temperature",
       .type = Structure{"a list of pairs [plies, temperature], as in [[0, 1.0], [30, 0]]"},
       .help = "After so many plies (in ascending order), draw moves from the bot's policy "
               "raised to the power 1/temperature (0 to 100); at 0, play the bot's own move",
       .default_text = "0",
       .mode = kSelfplay,
       .has_flag = false},
      {.key = "selfplay.noise.alpha",
       .type = NumberBounds{0, 1000},
       .field = SelfplayField<&Play::noise_alpha>(),
       .help = "Alpha of the Dirichlet noise, which is mixed into the root weights of bots that "
               "have them, otherwise into the policy from which moves are drawn",
       .default_text = "none",
       .needs = "selfplay.noise.share",
       .mode = kSelfplay},
      {.key = "selfplay.noise.share",
       .type = kShare,
       .field = SelfplayField<&Play::noise_share>(),
       .help = "Share of the noise in the mixture",
       .default_text = "none",
       .needs = "selfplay.noise.alpha",
       .mode = kSelfplay},
      {.key = "selfplay.random_moves",
       .type = kShare,
       .field = SelfplayField<&Play::random_moves>(),
       .help = "Share of the turns at which any legal move is played, so that the data has "
               "positions after mistakes",
       .default_text = "none",
       .mode = kSelfplay},
      {.key = "selfplay.full_search.share",
       .type = kShare,
       .field = SelfplayField<&Play::full_share>(),
       .help = "Share of the turns that are searched in full; only these are kept",
       .needs = "selfplay.full_search.fast_nodes",
       .mode = kSelfplay},
      {.key = "selfplay.full_search.fast_nodes",
       .type = kNodes,
       .field = SelfplayField<&Play::fast_nodes>(),
       .unit = "nodes",
       .help = "Limits the search of the other turns, which have no noise",
       .default_text = "none",
       .needs = "selfplay.full_search.share",
       .mode = kSelfplay},
      {.key = "selfplay.resign.below",
       .type = NumberBounds{0, 0.5},
       .field = SelfplayField<&Play::resign_below>(),
       .help = "A seat resigns when its bot expects less than this share of the points",
       .default_text = "never",
       .mode = kSelfplay},
      {.key = "selfplay.resign.turns",
       .type = IntBounds{1, 1'000},
       .field = SelfplayField<&Play::resign_turns>(),
       .unit = "turns",
       .help = "For how many of its turns in a row this must hold",
       .needs = "selfplay.resign.below",
       .mode = kSelfplay},
      {.key = "selfplay.resign.played_out",
       .type = kShare,
       .field = SelfplayField<&Play::played_out_share>(),
       .help = "Share of the games in which no seat resigns; the data records where one would have "
               "resigned",
       .needs = "selfplay.resign.below",
       .mode = kSelfplay},
      {.key = "selfplay.sample_rate",
       .type = kShare,
       .field = SelfplayField<&Play::sample_rate>(),
       .help = "Share of the fully searched plies that are kept",
       .mode = kSelfplay},
      {.key = "selfplay.drop_duplicates",
       .type = Words(kOnOffWords),
       .field = SelfplayField<&Play::drops_duplicates>(),
       .help = "Whether a shard keeps only the first of equal positions",
       .mode = kSelfplay},
      {.key = "selfplay.shard_samples",
       .type = IntBounds{1, 4'000'000},
       .field = SelfplayField<&Play::shard_samples>(),
       .unit = "samples",
       .help = "Approximate number of samples in a shard, if a lease has that many",
       .mode = kSelfplay,
       .is_identity = false},
      {.key = "selfplay.compression",
       .type = Words(kCompressionWords),
       .field = SelfplayField<&Play::is_deflated>(),
       .help = "How the arrays of a shard are stored",
       .mode = kSelfplay,
       .is_identity = false},

      {.key = "test.elo",
       .type = PairBounds{-400, 400},
       .field = TestPart<&Test::elo>(),
       .unit = "Elo",
       .help = "The test passes if the first bot is stronger by more than the lower value, and "
               "fails if it is by less than the higher one; in between, either may happen",
       .default_text = "0,5 unless nelo is given",
       .mode = kTest},
      {.key = "test.nelo",
       .type = PairBounds{-400, 400},
       .field = TestPart<&Test::nelo>(),
       .unit = "normalized Elo",
       .help = "Alternative to elo, in normalized Elo: the difference divided by the standard "
               "deviation of the score, so that a test takes about the same number of games "
               "whether or not many are drawn",
       .default_text = "none",
       .mode = kTest},
      {.key = "test.alpha",
       .type = NumberBounds{0, 0.25},
       .field = TestPart<&Test::alpha>(),
       .help = "Largest probability that the test passes if the first bot is stronger by only the "
               "lower value",
       .mode = kTest},
      {.key = "test.beta",
       .type = NumberBounds{0, 0.25},
       .field = TestPart<&Test::beta>(),
       .help = "Largest probability that the test fails if the first bot is stronger by the higher "
               "value",
       .mode = kTest},
      {.key = "test.field",
       .type = Words(kTestFieldWords),
       .field = TestPart<&Test::field>(),
       .help =
           "Who plays: mirror seats one of the two bots against two of the other, in turn; pool "
           "seats both with one of the other bots",
       .mode = kTest},
      {.key = "test.score",
       .type = Words(kTestScoreWords),
       .field = TestPart<&Test::score>(),
       .help = "What counts: placement points, or only first places",
       .mode = kTest},

      {.key = "best_of.elo",
       .type = PairBounds{-400, 400},
       .field = BestOfField<&BestOfSpec::elo>(),
       .unit = "Elo",
       .help =
           "A variant passes if it is stronger than the first bot by more than the lower value, "
           "and drops out if it is by less than the higher one; in between, either may happen",
       .mode = OptionMode::kBestOf},
      {.key = "best_of.alpha",
       .type = NumberBounds{0, 0.25},
       .field = BestOfField<&BestOfSpec::alpha>(),
       .help = "Largest probability that any variant passes if all are stronger by only the lower "
               "value",
       .mode = OptionMode::kBestOf},
      {.key = "best_of.beta",
       .type = NumberBounds{0, 0.25},
       .field = BestOfField<&BestOfSpec::beta>(),
       .help = "Largest probability that a variant that is stronger by the higher value drops out",
       .mode = OptionMode::kBestOf},

      {.key = "tune.options",
       .type = Structure{"a map of options, as in {risk: {min: 0, max: 1, step: 0.05}}"},
       .help = "The options to tune: the bounds of each, and the smallest step with a noticeable "
               "effect (about ½ to 2 Elo)",
       .default_text = "required to tune",
       .mode = OptionMode::kTune,
       .has_flag = false},
      {.key = "tune.rate",
       .type = NumberBounds{0, 1},
       .field = TuneField<&TuneSpec::rate>(),
       .help = "How far the last iteration moves per unit of its result",
       .default_text = "0.008 up to 30 000 games, 0.002 from 100 000 on",
       .mode = OptionMode::kTune},
      {.key = "tune.elo",
       .type = PairBounds{-400, 400},
       .field = TuneField<&TuneSpec::elo>(),
       .unit = "Elo",
       .help = "The hypotheses of the test that confirms the result",
       .mode = OptionMode::kTune},

      {.key = "output.db",
       .type = Text{"FILE"},
       .field = Field<&Spec::db>(),
       .help = "Adds the tournament to this file, or continues it there",
       .default_text = "none; in self-play games.db in the data folder",
       .is_identity = false},
      {.key = "output.tpgn",
       .type = Text{"FILE"},
       .field = Field<&Spec::tpgn>(),
       .help = "Writes the games to this file at the end",
       .default_text = "none",
       .is_identity = false},
      {.key = "output.svg",
       .type = Text{"FILE"},
       .field = TuneField<&TuneSpec::svg>(),
       .help = "Draws the paths of the options to this file at the end",
       .default_text = "none",
       .mode = OptionMode::kTune,
       .is_identity = false},
      {.key = "output.data",
       .type = Text{"DIR", "a folder or s3://BUCKET/PREFIX"},
       .field = Field<&Spec::data>(),
       .help = "Writes the samples to this location: a folder or s3://BUCKET/PREFIX",
       .default_text = "required in self-play",
       .mode = kSelfplay,
       .is_identity = false},
  };
}

}  // namespace

std::span<const Option> TournamentOptions() {
  static const std::vector<Option> kOptions = MakeOptions();
  return kOptions;
}

const Option* FindOption(std::string_view key) {
  for (const Option& option : TournamentOptions()) {
    if (option.key == key) return &option;
  }
  return nullptr;
}

bool IsSection(std::string_view key) {
  const auto is_below = [key](const Option& option) {
    return option.key.starts_with(key) && option.key.substr(key.size()).starts_with('.');
  };
  const std::span<const Option> options = TournamentOptions();
  return std::any_of(options.begin(), options.end(), is_below);
}

std::vector<std::string_view> KeysIn(std::string_view section) {
  std::vector<std::string_view> keys;
  for (const Option& option : TournamentOptions()) {
    std::string_view key = option.key;
    if (!section.empty()) {
      if (!key.starts_with(section) || !key.substr(section.size()).starts_with('.')) continue;
      key.remove_prefix(section.size() + 1);
    }
    key = key.substr(0, key.find('.'));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

const Option& BotWeightOption() {
  static const Option kWeight = {.key = "weight",
                                 .type = NumberBounds{0, 1e6},
                                 .help = "How often a seat draws this bot, relative to the others",
                                 .mode = OptionMode::kSelfplay};
  return kWeight;
}

}  // namespace triarch
