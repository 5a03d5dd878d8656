#include "coordinator/service/tournament_series.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/tournament_state.h"
#include "http/histograms.h"
#include "http/series.h"
#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"

namespace triarch {
namespace {

using prometheus::Labels;
using Counter = prometheus::Counter;
using Gauge = prometheus::Gauge;
using Histogram = prometheus::Histogram;

constexpr std::array<std::string_view, kSeatsMax> kSeatWords = {"first", "second", "third"};
constexpr std::array<Termination, 3> kFaults = {Termination::kTimeForfeit,
                                                Termination::kIllegalMove, Termination::kCrash};
constexpr size_t kTerminations = static_cast<size_t>(Termination::kAbandoned) + 1;

const Histogram::BucketBoundaries& PliesBuckets() {
  static const Histogram::BucketBoundaries kBuckets = {25,  50,  100, 150, 200,  250,
                                                       300, 400, 500, 700, 1000, 1500};
  return kBuckets;
}

}  // namespace

struct TournamentSeries::Families {
  explicit Families(prometheus::Registry& to) : registry(to) {}

  prometheus::Registry& registry;
  prometheus::Family<Counter>& games =
      CounterFamily(registry, "triarch_games_total", "Recorded games, by termination.");
  prometheus::Family<Counter>& plies =
      CounterFamily(registry, "triarch_plies_total", "Plies of recorded games.");
  prometheus::Family<Histogram>& game_plies =
      HistogramFamily(registry, "triarch_game_plies", "Length of recorded games in plies.");
  prometheus::Family<Counter>& bot_games =
      CounterFamily(registry, "triarch_bot_games_total", "Recorded games of a bot.");
  prometheus::Family<Counter>& bot_points = CounterFamily(
      registry, "triarch_bot_points_total", "Placement points of a bot in recorded games.");
  prometheus::Family<Counter>& bot_nodes =
      CounterFamily(registry, "triarch_bot_nodes_total", "Nodes that a bot reported.");
  prometheus::Family<Counter>& bot_faults =
      CounterFamily(registry, "triarch_bot_faults_total", "Games that a bot forfeited, by fault.");
  prometheus::Family<Counter>& bot_fallbacks =
      CounterFamily(registry, "triarch_bot_fallbacks_total",
                    "Fallback moves made for a bot that failed to choose.");
  prometheus::Family<Histogram>& bot_move_seconds =
      HistogramFamily(registry, "triarch_bot_move_seconds",
                      "Time of a bot's moves; each game contributes the mean of its moves.");
  prometheus::Family<Counter>& seat_games =
      CounterFamily(registry, "triarch_seat_games_total", "Recorded games with the seat.");
  prometheus::Family<Counter>& seat_points = CounterFamily(
      registry, "triarch_seat_points_total", "Placement points of a seat in recorded games.");
  prometheus::Family<Gauge>& planned =
      GaugeFamily(registry, "triarch_tournament_games", "Games requested for a tournament.");
  prometheus::Family<Gauge>& open = GaugeFamily(registry, "triarch_tournament_open_games",
                                                "Games that are neither leased nor recorded.");
  prometheus::Family<Gauge>& leased = GaugeFamily(registry, "triarch_tournament_leased_games",
                                                  "Games that are leased but not recorded.");
  prometheus::Family<Gauge>& held =
      GaugeFamily(registry, "triarch_tournament_held_games", "Games that wait for audits.");
  prometheus::Family<Gauge>& undrawn_audits =
      GaugeFamily(registry, "triarch_tournament_undrawn_audits",
                  "Audits that no worker of another owner can play now.");
  prometheus::Family<Gauge>& done =
      GaugeFamily(registry, "triarch_tournament_done_games", "Games that are recorded.");
  prometheus::Family<Gauge>& state = GaugeFamily(registry, "triarch_tournament_state",
                                                 "1 for a tournament's current state, else 0.");
  prometheus::Family<Gauge>& rating =
      GaugeFamily(registry, "triarch_bot_rating_elo", "Rating of a bot, in Elo.");
  prometheus::Family<Gauge>& rating_error = GaugeFamily(
      registry, "triarch_bot_rating_error_elo", "Standard error of a bot's rating, in Elo.");
  prometheus::Family<Gauge>& best_of_llr = GaugeFamily(
      registry, "triarch_best_of_llr", "Log-likelihood ratio of a variant against the base.");
  prometheus::Family<Gauge>& tune_steps =
      GaugeFamily(registry, "triarch_tune_steps",
                  "Distance of a tuned option from its start, in units of its step.");
  prometheus::Family<Gauge>& test_units =
      GaugeFamily(registry, "triarch_test_units", "Units of games that a test counts.");
  prometheus::Family<Gauge>& test_llr =
      GaugeFamily(registry, "triarch_test_llr", "Log-likelihood ratio of a test.");
  prometheus::Family<Gauge>& test_llr_low = GaugeFamily(
      registry, "triarch_test_llr_low", "Bound at which the new bot is not shown to be better.");
  prometheus::Family<Gauge>& test_llr_high =
      GaugeFamily(registry, "triarch_test_llr_high", "Bound at which the new bot is better.");
  prometheus::Family<Gauge>& test_elo =
      GaugeFamily(registry, "triarch_test_elo", "Estimated advantage of the new bot, in Elo.");
  prometheus::Family<Gauge>& test_elo_low = GaugeFamily(
      registry, "triarch_test_elo_low", "Lower end of the estimate's 95 % interval, in Elo.");
  prometheus::Family<Gauge>& test_elo_high = GaugeFamily(
      registry, "triarch_test_elo_high", "Upper end of the estimate's 95 % interval, in Elo.");
  prometheus::Family<Gauge>& test_games_left = GaugeFamily(
      registry, "triarch_test_games_left", "Expected number of games until the test ends.");
  prometheus::Family<Gauge>& effect =
      GaugeFamily(registry, "triarch_seat_effect_elo", "Advantage of a seat, in Elo.");
  prometheus::Family<Gauge>& effect_error = GaugeFamily(
      registry, "triarch_seat_effect_error_elo", "Standard error of a seat's effect, in Elo.");
};

struct TournamentSeries::Estimate {
  Estimate(prometheus::Family<Gauge>& values, prometheus::Family<Gauge>& errors,
           const Labels& labels)
      : value(values, labels), error(errors, labels) {}

  Series<Gauge> value;
  Series<Gauge> error;
};

struct TournamentSeries::Bot {
  // Creates the fault counters at the start, because Prometheus can compute an increase only from
  // an earlier value.
  Bot(Families& families, const Labels& labels)
      : games(families.bot_games, labels),
        points(families.bot_points, labels),
        nodes(families.bot_nodes, labels),
        fallbacks(families.bot_fallbacks, labels),
        move_seconds(families.bot_move_seconds, labels, MoveSecondsBuckets()) {
    for (const Termination fault : kFaults) {
      Labels own = labels;
      own["fault"] = std::string(ToString(fault));
      faults.emplace_back(families.bot_faults, own);
    }
  }

  Series<Counter> games;
  Series<Counter> points;
  Series<Counter> nodes;
  Series<Counter> fallbacks;
  Series<Histogram> move_seconds;
  std::vector<Series<Counter>> faults;  // in the order of kFaults
};

struct TournamentSeries::Seat {
  Seat(Families& families, const Labels& labels)
      : games(families.seat_games, labels), points(families.seat_points, labels) {}

  Series<Counter> games;
  Series<Counter> points;
};

struct TournamentSeries::Gauges {
  Gauges(Families& families, const Labels& labels, const Labels& with_game)
      : planned(families.planned, with_game),
        open(families.open, with_game),
        leased(families.leased, with_game),
        held(families.held, with_game),
        undrawn_audits(families.undrawn_audits, with_game),
        done(families.done, with_game) {
    for (const std::string_view word : kTournamentStates) {
      Labels own = labels;
      own["state"] = std::string(word);
      states.emplace_back(families.state, own);
    }
  }
  void Set(const TournamentCounts& told) {
    planned->Set(static_cast<double>(told.games));
    open->Set(static_cast<double>(told.open));
    leased->Set(static_cast<double>(told.leased));
    held->Set(static_cast<double>(told.held));
    undrawn_audits->Set(static_cast<double>(told.audits.undrawn_audits));
    done->Set(static_cast<double>(told.done));
    for (size_t i = 0; i < states.size(); ++i) {
      states[i]->Set(static_cast<size_t>(told.state) == i ? 1 : 0);
    }
  }

  Series<Gauge> planned;
  Series<Gauge> open;
  Series<Gauge> leased;
  Series<Gauge> held;
  Series<Gauge> undrawn_audits;
  Series<Gauge> done;
  std::vector<Series<Gauge>> states;  // in the order of kTournamentStates
};

struct TournamentSeries::Test {
  Test(Families& families, const Labels& labels)
      : units(families.test_units, labels),
        llr(families.test_llr, labels),
        llr_low(families.test_llr_low, labels),
        llr_high(families.test_llr_high, labels),
        elo(families.test_elo, labels),
        elo_low(families.test_elo_low, labels),
        elo_high(families.test_elo_high, labels),
        games_left(families.test_games_left, labels) {}
  void Set(const experiments::TestState& told) {
    units->Set(static_cast<double>(told.units));
    llr->Set(told.llr);
    llr_low->Set(told.bounds.lower);
    llr_high->Set(told.bounds.upper);
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const experiments::IntervalEstimate estimate =
        told.elo.value_or(experiments::IntervalEstimate{kUnknown, kUnknown, kUnknown});
    elo->Set(estimate.value);
    elo_low->Set(estimate.low);
    elo_high->Set(estimate.high);
    games_left->Set(static_cast<double>(told.games_left.value_or(0)));
  }

  Series<Gauge> units;
  Series<Gauge> llr;
  Series<Gauge> llr_low;
  Series<Gauge> llr_high;
  Series<Gauge> elo;
  Series<Gauge> elo_low;
  Series<Gauge> elo_high;
  Series<Gauge> games_left;
};

struct TournamentSeries::Tournament {
  explicit Tournament(const std::string& name) : labels{{"tournament", name}} {}
  Labels With(const char* key, const std::string& value) const {
    Labels more = labels;
    more[key] = value;
    return more;
  }

  const Labels labels;
  Time last_alive;
  std::string game;
  std::optional<Gauges> gauges;
  std::optional<Test> test;
  std::map<std::string, Series<Gauge>> figures;  // of PlanState, by name
  std::array<std::optional<Series<Counter>>, kTerminations> games;
  std::optional<Series<Counter>> plies;
  std::optional<Series<Histogram>> game_plies;
  std::map<std::string, Bot, std::less<>> bots;
  std::array<std::optional<Seat>, kSeatsMax> seats;
  std::map<std::string, Estimate, std::less<>> ratings;  // by bot
  std::map<std::string, Estimate, std::less<>> effects;  // by seat
};

TournamentSeries::TournamentSeries(prometheus::Registry& registry, std::chrono::milliseconds keep)
    : keep_(keep), families_(std::make_unique<Families>(registry)) {}

TournamentSeries::~TournamentSeries() = default;

TournamentSeries::Tournament& TournamentSeries::Entry(const std::string& tournament, Time now) {
  std::unique_ptr<Tournament>& entry = tournaments_[tournament];
  if (entry == nullptr) {
    entry = std::make_unique<Tournament>(tournament);
    entry->last_alive = now;
  }
  return *entry;
}

TournamentSeries::Bot& TournamentSeries::BotOf(Tournament& tournament, const std::string& bot) {
  const auto known = tournament.bots.find(bot);
  if (known != tournament.bots.end()) return known->second;
  return tournament.bots.try_emplace(bot, *families_, tournament.With("bot", bot)).first->second;
}

void TournamentSeries::GamesRecorded(const std::string& tournament,
                                     std::span<const GameRecord> games, Time now) {
  if (games.empty()) return;
  MutexLock lock(&mutex_);
  Tournament& entry = Entry(tournament, now);
  entry.last_alive = now;
  if (!entry.plies) {
    entry.game = games.front().game;
    const Labels labels = entry.With("game", entry.game);
    entry.plies.emplace(families_->plies, labels);
    entry.game_plies.emplace(families_->game_plies, labels, PliesBuckets());
  }
  for (const GameRecord& game : games) Count(entry, game);
}

void TournamentSeries::Count(Tournament& tournament, const GameRecord& game) {
  const Termination termination =
      game.is_finished ? game.outcome.termination : Termination::kAbandoned;
  auto& games = tournament.games[static_cast<size_t>(termination)];
  if (!games) {
    Labels labels = tournament.With("game", tournament.game);
    labels["termination"] = std::string(ToString(termination));
    games.emplace(families_->games, labels);
  }
  (*games)->Increment();
  const auto plies = static_cast<double>(game.plies);
  (*tournament.plies)->Increment(plies);
  (*tournament.game_plies)->Observe(plies);
  if (game.is_finished) CountSeats(tournament, game);
}

void TournamentSeries::CountSeats(Tournament& tournament, const GameRecord& game) {
  const auto& place = game.outcome.place;
  // A seat that the game lacks has place 0.
  const auto seats = static_cast<size_t>(
      std::count_if(place.begin(), place.end(), [](uint8_t at) { return at != 0; }));
  const PerSeat<double> points = Points(place, seats);
  for (size_t i = 0; i < seats; ++i) {
    const triarch::Seat at = SeatAt(i);
    auto& seat = tournament.seats[i];
    if (!seat) seat.emplace(*families_, tournament.With("seat", std::string(kSeatWords[i])));
    seat->games->Increment();
    seat->points->Increment(points[at]);
    Bot& bot = BotOf(tournament, game.bots[at]);
    bot.games->Increment();
    bot.points->Increment(points[at]);
    const SeatCost& cost = game.costs[at];
    bot.nodes->Increment(static_cast<double>(cost.nodes));
    ObserveMean(*bot.move_seconds, MoveSecondsBuckets(), cost.moves,
                static_cast<double>(cost.time_us) / 1e6);
    bot.fallbacks->Increment(static_cast<double>(FallbacksOf(game, at)));
    if (!game.endings[at]) continue;
    const auto fault = std::find(kFaults.begin(), kFaults.end(), *game.endings[at]);
    if (fault == kFaults.end()) continue;
    bot.faults[static_cast<size_t>(fault - kFaults.begin())]->Increment();
  }
}

void TournamentSeries::Set(std::span<const TournamentCounts> tournaments, Time now) {
  MutexLock lock(&mutex_);
  for (const TournamentCounts& told : tournaments) {
    // Does not show a tournament that was over before this coordinator led.
    if (IsOver(told.state) && !tournaments_.contains(told.label)) continue;
    Tournament& entry = Entry(told.label, now);
    if (!IsOver(told.state)) entry.last_alive = now;
    if (!entry.gauges) {
      entry.gauges.emplace(*families_, entry.labels, entry.With("game", told.game));
    }
    entry.gauges->Set(told);
    if (told.plan) SetFigures(entry, *told.plan);
    if (!told.test) continue;
    if (!entry.test) entry.test.emplace(*families_, entry.labels);
    entry.test->Set(*told.test);
  }
  std::erase_if(tournaments_,
                [&](const auto& item) { return now - item.second->last_alive > keep_; });
}

// Only best-of has a verdict; the other tournaments with figures are tunings.
void TournamentSeries::SetFigures(Tournament& entry, const experiments::PlanState& plan) {
  prometheus::Family<Gauge>& family = plan.verdict ? families_->best_of_llr : families_->tune_steps;
  for (const auto& [name, value] : plan.figures) {
    entry.figures.try_emplace(name, family, entry.With(plan.verdict ? "bot" : "option", name))
        .first->second->Set(value);
  }
}

void TournamentSeries::SetRating(const std::string& tournament, const std::string& bot,
                                 double rating_elo, double error_elo, Time now) {
  MutexLock lock(&mutex_);
  Tournament& entry = Entry(tournament, now);
  Estimate& estimate =
      entry.ratings
          .try_emplace(bot, families_->rating, families_->rating_error, entry.With("bot", bot))
          .first->second;
  estimate.value->Set(rating_elo);
  estimate.error->Set(error_elo);
}

void TournamentSeries::SetSeatEffect(const std::string& tournament, triarch::Seat seat,
                                     double effect_elo, double error_elo, Time now) {
  MutexLock lock(&mutex_);
  Tournament& entry = Entry(tournament, now);
  const std::string word(kSeatWords[Index(seat)]);
  Estimate& estimate =
      entry.effects
          .try_emplace(word, families_->effect, families_->effect_error, entry.With("seat", word))
          .first->second;
  estimate.value->Set(effect_elo);
  estimate.error->Set(error_elo);
}

}  // namespace triarch
