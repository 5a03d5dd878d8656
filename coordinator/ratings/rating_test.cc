#include "coordinator/ratings/rating.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "Eigen/LU"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::ratings {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

GameSummary Game(int64_t match, std::vector<int> bots, std::vector<int> places) {
  GameSummary game;
  game.index = match;
  game.match = match;
  for (size_t i = 0; i < bots.size(); ++i) {
    game.bots[SeatAt(i)] = bots[i];
    game.outcome.place[SeatAt(i)] = static_cast<uint8_t>(places[i]);
  }
  return game;
}

RatingFit Fit(size_t bots, size_t seats, const std::vector<GameSummary>& games,
              const RatingOptions& options = {}) {
  const absl::StatusOr<GameCounts> counts = CountGames(bots, seats, games);
  EXPECT_TRUE(counts.ok()) << counts.status();
  absl::StatusOr<RatingFit> fit = FitRatings(*counts, options);
  EXPECT_TRUE(fit.ok()) << fit.status();
  return *std::move(fit);
}

// --- Against survival::clogit -------------------------------------------------------------------

std::vector<std::vector<std::string>> ReadTsv(const std::string& name) {
  std::ifstream file(std::string(TRIARCH_TEST_DATA) + "/ratings/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const std::string_view part : Split(line, '\t')) row.emplace_back(part);
  }
  return rows;
}

std::vector<GameSummary> ReadGames(const std::string& name, size_t seats) {
  std::vector<GameSummary> games;
  for (const std::vector<std::string>& row : ReadTsv(name)) {
    std::vector<int> numbers;
    for (const std::string& cell : row) numbers.push_back(std::stoi(cell));
    const auto bots_end = numbers.begin() + 1 + static_cast<std::ptrdiff_t>(seats);
    games.push_back(Game(numbers[0], {numbers.begin() + 1, bots_end}, {bots_end, numbers.end()}));
  }
  return games;
}

// The contrast of clogit's coefficient, whose reference is its first bot and first seat.
Eigen::VectorXd ContrastOf(const std::string& coefficient, const ParameterLayout& layout) {
  Eigen::VectorXd contrast = Eigen::VectorXd::Zero(layout.size());
  const auto number = static_cast<size_t>(coefficient.back() - '0');
  if (coefficient.starts_with("bot") || coefficient.starts_with("duel")) {
    const bool is_duel = coefficient.starts_with("duel");
    contrast[layout.Bot(static_cast<int>(number), is_duel)] = 1;
    contrast[layout.Bot(0, is_duel)] = -1;
  } else if (coefficient.starts_with("seat")) {
    contrast[layout.AtSeat(number)] = 1;
    contrast[layout.AtSeat(0)] = -1;
  } else {
    contrast[layout.Tie(coefficient == "tie23" ? TieKind::kTwoOfThree
                        : number == 3          ? TieKind::kThree
                                               : TieKind::kTwoOfTwo)] = 1;
  }
  return contrast;
}

void ExpectAgreesWithClogit(const std::string& games_name, const std::string& name, size_t bots,
                            size_t seats, Strengths strengths = Strengths::kOne) {
  const std::vector<GameSummary> games = ReadGames(games_name + ".games.tsv", seats);
  // A prior too wide to matter, but not so wide that the covariance disappears in rounding.
  const RatingFit fit = Fit(
      bots, seats, games,
      {.prior_elo = 1e4 * kEloPerNatural, .tie_prior = 1e4, .anchor = {}, .strengths = strengths});
  std::map<std::string, double> largest;
  for (const std::vector<std::string>& row : ReadTsv(name + ".figures.tsv")) {
    const double figure = std::stod(row[3]);
    const Eigen::VectorXd a = ContrastOf(row[1], fit.layout());
    double ours = a.dot(fit.parameters());
    if (row[0] == "model") ours = a.dot(fit.covariance() * ContrastOf(row[2], fit.layout()));
    if (row[0] == "robust") {
      ours = a.dot(fit.robust_covariance() * ContrastOf(row[2], fit.layout()));
    }
    EXPECT_THAT(ours, DoubleNear(figure, 1e-6)) << row[0] << ' ' << row[1] << ' ' << row[2];
    largest[row[0]] = std::max(largest[row[0]], std::abs(ours - figure));
  }
  EXPECT_EQ(largest.size(), 3u);
  for (const auto& [kind, difference] : largest) {
    std::ostringstream text;
    text << difference;
    testing::Test::RecordProperty(name + "_" + kind, text.str());
  }
}

TEST(RatingTest, AgreesWithClogitOnThreeSeats) {
  ExpectAgreesWithClogit("three_seats", "three_seats", 6, 3);
}
TEST(RatingTest, AgreesWithClogitOnTwoStrengths) {
  ExpectAgreesWithClogit("three_seats", "three_seats_by_stage", 6, 3, Strengths::kByStage);
}
TEST(RatingTest, AgreesWithClogitOnTwoSeats) {
  ExpectAgreesWithClogit("two_seats", "two_seats", 5, 2);
  ExpectAgreesWithClogit("two_seats", "two_seats", 5, 2, Strengths::kByStage);
}

// --- Coverage ------------------------------------------------------------------------------------

// How often 95 % intervals contained the true value.
struct Coverage {
  int inside = 0;
  int all = 0;

  void Count(double truth_elo, const Estimate& estimate) {
    inside += std::abs(truth_elo - estimate.value) <= estimate.margin() ? 1 : 0;
    ++all;
  }
  double share() const { return static_cast<double>(inside) / all; }
};

struct Coverages {
  Coverage rating;
  Coverage difference;  // one per tournament: between the first bot and the last
  Coverage seat;
  Coverage by_model;  // of ratings, with errors from V alone
};

// Returns the ratings and seat effects that infinitely many games of that world would show.
// Openings that favour bots make this less than the bots' strength at a neutral opening, because
// chance evens out strengths. So it is measured on many games, with an error of 0.5 Elo.
SimulatedWorld Truth(const SimulatedWorld& world) {
  SimulatedWorld truth = world;
  const size_t bots = world.strength.size();
  const RatingFit fit = Fit(bots, world.seat.size(), SimulateRoundRobin(world, 6000, 5));
  for (size_t i = 0; i < bots; ++i) {
    truth.strength[i] = fit.Rating(static_cast<int>(i)).value;
  }
  for (size_t i = 0; i < world.seat.size(); ++i) truth.seat[i] = fit.SeatEffect(i).value;
  return truth;
}

Estimate RatingByModel(const RatingFit& fit, int bot) {
  const auto bots = static_cast<Eigen::Index>(fit.layout().bots());
  Eigen::VectorXd contrast = Eigen::VectorXd::Zero(fit.layout().size());
  contrast.head(bots).setConstant(-1.0 / static_cast<double>(bots));
  contrast[bot] += 1;
  return {fit.Rating(bot).value,
          kEloPerNatural * std::sqrt(contrast.dot(fit.covariance() * contrast))};
}

Coverages CoverageOf(const SimulatedWorld& world, int rounds, int tournaments) {
  const SimulatedWorld truth = Truth(world);
  const size_t bots = world.strength.size();
  Coverages coverages;
  for (int tournament = 0; tournament < tournaments; ++tournament) {
    const uint64_t seed = DeriveSeed(20260102, static_cast<uint64_t>(tournament));
    const RatingFit fit = Fit(bots, world.seat.size(), SimulateRoundRobin(world, rounds, seed));
    for (size_t i = 0; i < bots; ++i) {
      coverages.rating.Count(truth.strength[i], fit.Rating(static_cast<int>(i)));
      coverages.by_model.Count(truth.strength[i], RatingByModel(fit, static_cast<int>(i)));
    }
    coverages.difference.Count(truth.strength.front() - truth.strength.back(),
                               fit.Difference(0, static_cast<int>(bots) - 1));
    for (size_t i = 0; i < world.seat.size(); ++i) {
      coverages.seat.Count(truth.seat[i], fit.SeatEffect(i));
    }
  }
  return coverages;
}

// Intervals of one tournament are correlated, so the binomial error is computed for the number of
// tournaments. Allows three errors: ± 3.1 % for 450. Seeds are fixed, so the test is deterministic.
void ExpectCovers(const Coverage& coverage, int tournaments) {
  const double tolerance = 3 * std::sqrt(0.95 * 0.05 / tournaments);
  EXPECT_THAT(coverage.share(), DoubleNear(0.95, tolerance));
}

constexpr int kTournaments = 450;

SimulatedWorld ThreeSeats() {
  return {.strength = {0.8, 0.3, 0, -0.4, -0.7},
          .seat = {0.25, -0.05, -0.2},
          .tie = {0, 0, -1.2, -0.8},
          .opening_deviation = 0,
          .can_share_second = true};
}
SimulatedWorld TwoSeats() {
  return {.strength = {0.8, 0.3, 0, -0.4, -0.7},
          .seat = {0.15, -0.15},
          .tie = {0, 0, -0.6, 0},
          .opening_deviation = 0,
          .can_share_second = true};
}

TEST(CoverageTest, IndependentGamesOfThree) {
  const Coverages coverages = CoverageOf(ThreeSeats(), 5, kTournaments);  // 300 games each
  ExpectCovers(coverages.rating, kTournaments);
  ExpectCovers(coverages.difference, kTournaments);
  ExpectCovers(coverages.seat, kTournaments);
}

TEST(CoverageTest, IndependentGamesOfTwo) {
  const Coverages coverages = CoverageOf(TwoSeats(), 15, kTournaments);  // 300 games each
  ExpectCovers(coverages.rating, kTournaments);
  ExpectCovers(coverages.difference, kTournaments);
  ExpectCovers(coverages.seat, kTournaments);
}

TEST(CoverageTest, OpeningsThatFavourABot) {
  SimulatedWorld world = ThreeSeats();
  world.opening_deviation = 1.2;
  const Coverages coverages = CoverageOf(world, 5, kTournaments);
  ExpectCovers(coverages.rating, kTournaments);
  ExpectCovers(coverages.difference, kTournaments);
  ExpectCovers(coverages.seat, kTournaments);
  // This is why robust errors are needed.
  EXPECT_LT(coverages.by_model.share(), 0.85);
}

TEST(CoverageTest, FewBlocks) {
  SimulatedWorld world = ThreeSeats();
  world.opening_deviation = 1.2;
  const Coverages coverages = CoverageOf(world, 1, kTournaments);  // 6 blocks per bot
  ExpectCovers(coverages.rating, kTournaments);
  ExpectCovers(coverages.difference, kTournaments);
}

// --- Small and degenerate tournaments
// --------------------------------------------------------------

TEST(RatingTest, NoGamesLeaveThePrior) {
  const RatingFit fit = Fit(4, 3, {});
  for (int bot = 0; bot < 4; ++bot) {
    EXPECT_EQ(fit.Rating(bot).value, 0);
    EXPECT_GT(fit.Rating(bot).error, 100);
    EXPECT_FALSE(fit.IsUnconnected(bot));
  }
  EXPECT_EQ(fit.SeatEffect(0).value, 0);
  EXPECT_NEAR(fit.Superiority(0, 1), 0.5, 1e-12);
  EXPECT_EQ(fit.GamesUntil(10), std::nullopt);
  EXPECT_EQ(fit.TieTerm(TieKind::kTwoOfTwo), std::nullopt);
  EXPECT_EQ(fit.blocks(), 0);
}

TEST(RatingTest, NoBotsAtAll) { EXPECT_EQ(Fit(0, 3, {}).games(), 0); }

TEST(RatingTest, OneGameIsWeakEvidence) {
  const RatingFit fit = Fit(3, 3, {Game(0, {2, 0, 1}, {1, 2, 3})});
  EXPECT_GT(fit.Rating(2).value, fit.Rating(0).value);
  EXPECT_GT(fit.Rating(0).value, fit.Rating(1).value);
  EXPECT_GT(fit.Rating(2).error, 100);
  EXPECT_GT(fit.Superiority(2, 1), 0.5);
  EXPECT_LT(fit.Superiority(2, 1), 0.99);
}

TEST(RatingTest, WinnerOfEverythingStaysFinite) {
  std::vector<GameSummary> games;
  for (int match = 0; match < 500; ++match) {
    // Bot 0 comes first in all seatings; 1 and 2 alternate from match to match.
    const std::vector<int> place_of = {1, 2 + match % 2, 3 - match % 2};
    std::vector<int> bots = {0, 1, 2};
    do {
      std::vector<int> places;
      for (const int bot : bots) places.push_back(place_of[static_cast<size_t>(bot)]);
      games.push_back(Game(match, bots, places));
    } while (std::next_permutation(bots.begin(), bots.end()));
  }
  const RatingFit fit = Fit(3, 3, games);
  EXPECT_TRUE(fit.IsOneSided(0));
  EXPECT_FALSE(fit.IsOneSided(1));
  EXPECT_FALSE(fit.IsUnconnected(0));
  EXPECT_GT(fit.Rating(0).value, 400);
  EXPECT_LT(fit.Rating(0).value, 3000);
  // Hundreds of blocks without a surprise do not justify a small error.
  EXPECT_GT(fit.Rating(0).error, 80);
  EXPECT_LT(fit.Difference(1, 2).error, 20);
}

TEST(RatingTest, LeavesOutTiesThatNeverOccurred) {
  const RatingFit fit = Fit(3, 3,
                            {Game(0, {0, 1, 2}, {1, 2, 3}), Game(0, {1, 2, 0}, {1, 1, 3}),
                             Game(1, {2, 0, 1}, {1, 2, 3})});
  EXPECT_TRUE(fit.TieTerm(TieKind::kTwoOfTwo).has_value());
  EXPECT_EQ(fit.TieTerm(TieKind::kTwoOfThree), std::nullopt);
  EXPECT_EQ(fit.TieTerm(TieKind::kThree), std::nullopt);
  double sum = 0;
  for (const double probability : fit.PlacementProbabilities({{0, 1, 2}})) sum += probability;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(RatingTest, TiesOnlyStayFinite) {
  std::vector<GameSummary> games;
  for (int match = 0; match < 200; ++match) games.push_back(Game(match, {0, 1, 2}, {1, 1, 1}));
  const RatingFit fit = Fit(3, 3, games);
  EXPECT_NEAR(fit.Rating(0).value, 0, 1e-6);
  EXPECT_GT(fit.TieTerm(TieKind::kThree)->value, 3);
  EXPECT_LT(fit.TieTerm(TieKind::kThree)->value, 50);
  EXPECT_TRUE(std::isfinite(fit.Rating(0).error));
}

TEST(RatingTest, BotWithoutGamesDoesNotAffectOthers) {
  const std::vector<GameSummary> games = SimulateRoundRobin(ThreeSeats(), 3, 1);
  const RatingFit without = Fit(5, 3, games);
  const RatingFit with = Fit(6, 3, games);
  for (int bot = 0; bot < 5; ++bot) {
    EXPECT_NEAR(with.Rating(bot).value, without.Rating(bot).value, 1e-9);
    EXPECT_NEAR(with.Rating(bot).error, without.Rating(bot).error, 1e-9);
  }
  EXPECT_EQ(with.GamesOf(5), 0);
  EXPECT_GT(with.Rating(5).error, 300);
}

TEST(RatingTest, NamesUnconnectedBots) {
  std::vector<GameSummary> games = SimulateRoundRobin(ThreeSeats(), 3, 1);
  for (int i = 0; i < 4; ++i) {
    games.push_back(Game(1000 + i, {5, 6, 7}, {1, 2, 3}));
    games.push_back(Game(1000 + i, {7, 6, 5}, {1, 2, 3}));
  }
  const RatingFit fit = Fit(8, 3, games);
  for (int bot = 0; bot < 8; ++bot) EXPECT_EQ(fit.IsUnconnected(bot), bot >= 5) << bot;
  EXPECT_LT(fit.Difference(0, 1).error, 60);
  EXPECT_GT(fit.Difference(0, 5).error, 200);
}

TEST(RatingTest, AnchorIsZeroWithoutError) {
  const std::vector<GameSummary> games = SimulateRoundRobin(ThreeSeats(), 5, 1);
  RatingOptions options;
  options.anchor = 2;
  const RatingFit anchored = Fit(5, 3, games, options);
  const RatingFit free = Fit(5, 3, games);
  EXPECT_EQ(anchored.Rating(2).value, 0);
  EXPECT_EQ(anchored.Rating(2).error, 0);
  EXPECT_DOUBLE_EQ(anchored.Rating(0).value, free.Difference(0, 2).value);
  EXPECT_DOUBLE_EQ(anchored.Rating(0).error, free.Difference(0, 2).error);
}

TEST(RatingTest, OrderOfGamesDoesNotMatter) {
  std::vector<GameSummary> games = SimulateRoundRobin(ThreeSeats(), 2, 1);
  const RatingFit forward = Fit(5, 3, games);
  std::reverse(games.begin(), games.end());
  const RatingFit backward = Fit(5, 3, games);
  EXPECT_EQ(forward.parameters(), backward.parameters());
  EXPECT_EQ(forward.robust_covariance(), backward.robust_covariance());
}

// Two seats without ties: odds of 3 to 1 are 190.8 Elo. Seats cancel out.
TEST(RatingTest, TwoSeatsReduceToBradleyTerry) {
  std::vector<GameSummary> games;
  for (int match = 0; match < 4000; ++match) {
    const int first = match % 4 == 0 ? 2 : 1;
    games.push_back(Game(match, {0, 1}, {first, 3 - first}));
    games.push_back(Game(match, {1, 0}, {3 - first, first}));
  }
  const RatingFit fit = Fit(2, 2, games);
  EXPECT_NEAR(fit.Difference(0, 1).value, 400 * std::log10(3.0), 0.2);
  EXPECT_NEAR(fit.SeatEffect(0).value, 0, 1e-6);
  // From V: 1/sqrt(n p q). Both games of a match have the same result here, so the robust error is
  // √2 times that.
  EXPECT_NEAR(fit.Difference(0, 1).error, kEloPerNatural / std::sqrt(4000 * 3.0 / 16), 0.01);
  EXPECT_GT(fit.Superiority(0, 1), 0.999999);
}

// Two seats with ties: Davidson's model, which has a closed form for two bots. With w wins, l
// losses and d draws, and seats cancelled out, the odds are w/l and ν = d/√(wl).
TEST(RatingTest, TwoSeatsReduceToBradleyTerryDavidson) {
  std::vector<GameSummary> games;
  const auto add = [&](int number, int first, int second) {
    for (int i = 0; i < number; ++i) {
      const auto match = static_cast<int64_t>(games.size() / 2);
      games.push_back(Game(match, {0, 1}, {first, second}));
      games.push_back(Game(match, {1, 0}, {second, first}));
    }
  };
  add(1800, 1, 2);
  add(800, 2, 1);
  add(1200, 1, 1);
  const RatingFit fit =
      Fit(2, 2, games, {.prior_elo = 1e4 * kEloPerNatural, .tie_prior = 1e4, .anchor = {}});
  EXPECT_NEAR(fit.Difference(0, 1).value, 400 * std::log10(1800.0 / 800), 1e-4);
  EXPECT_NEAR(fit.TieTerm(TieKind::kTwoOfTwo)->value, std::log(1200 / std::sqrt(1800.0 * 800)),
              1e-6);
  EXPECT_NEAR(fit.SeatEffect(0).value, 0, 1e-6);
  // Without seat effects and prior, the model's shares equal the observed wins, losses and ties.
  const double odds = std::exp(fit.Difference(0, 1).value / kEloPerNatural);
  const double tie = std::exp(fit.TieTerm(TieKind::kTwoOfTwo)->value) * std::sqrt(odds);
  EXPECT_NEAR(tie / (odds + 1 + tie), 1200.0 / 3800, 1e-6);
}

TEST(RatingTest, ErrorsShrinkAsGamesUntilPredicts) {
  const RatingFit few = Fit(5, 3, SimulateRoundRobin(ThreeSeats(), 20, 1));
  const double target = *few.TypicalMargin() / 2;
  const std::optional<int64_t> more = few.GamesUntil(target);
  EXPECT_NEAR(static_cast<double>(*more), 3.0 * 1200, 1);
  const RatingFit many = Fit(5, 3, SimulateRoundRobin(ThreeSeats(), 80, 2));
  EXPECT_NEAR(*many.TypicalMargin(), target, 0.1 * target);
  EXPECT_EQ(few.GamesUntil(1000), 0);
}

TEST(RatingTest, FittedTieRatesMatchObservedOnes) {
  const absl::StatusOr<GameCounts> counts =
      CountGames(5, 3, SimulateRoundRobin(ThreeSeats(), 100, 3));
  const TieRates rates = RatesOfTies(*FitRatings(*counts), *counts);
  for (const TieRate& rate : {rates.first_of_two, rates.first_of_three, rates.second}) {
    EXPECT_GT(rate.observed, 0.01);
    EXPECT_NEAR(rate.model, rate.observed, 0.015);
  }
}

// The last two can draw, but second place is never shared.
TEST(RatingTest, EachStageHasItsOwnTieTerm) {
  SimulatedWorld world = ThreeSeats();
  world.can_share_second = false;
  const absl::StatusOr<GameCounts> counts = CountGames(5, 3, SimulateRoundRobin(world, 100, 3));
  const RatingFit fit = *FitRatings(*counts);
  const TieRates rates = RatesOfTies(fit, *counts);
  EXPECT_EQ(rates.second.model, 0);
  EXPECT_NEAR(rates.first_of_two.model, rates.first_of_two.observed, 1e-3);
  EXPECT_EQ(fit.TieTerm(TieKind::kTwoOfThree), std::nullopt);
  EXPECT_NEAR(fit.TieTerm(TieKind::kTwoOfTwo)->value, world.tie[2], 0.15);
}

// Bot 0 rarely goes out first but loses its duels; bot 4 is the opposite.
TEST(RatingTest, StyleIsTheDifferenceBetweenTheStages) {
  SimulatedWorld world = ThreeSeats();
  world.duel_shift = {-0.9, 0, 0, 0, 0.9};
  const std::vector<GameSummary> games = SimulateRoundRobin(world, 100, 3);
  const RatingFit fit = Fit(5, 3, games, {.strengths = Strengths::kByStage});
  for (int bot = 0; bot < 5; ++bot) {
    const std::optional<Estimate> style = fit.Style(bot);
    ASSERT_TRUE(style.has_value()) << bot;
    const double truth = -world.duel_shift[static_cast<size_t>(bot)] * kEloPerNatural;
    EXPECT_LT(std::abs(style->value - truth), 3 * style->error) << bot;
    EXPECT_LT(style->error, 25);
    EXPECT_EQ(Fit(5, 3, games).Style(bot), std::nullopt);
  }
}

// A bot that hardly ever reaches a duel says nothing about its duels. It must not get a style, nor
// shift those of the others.
TEST(RatingTest, StyleNeedsEvidenceInBothStages) {
  SimulatedWorld world = ThreeSeats();
  world.strength = {0, 0, 0, -5.2};
  world.tie = {0, 0, -1e9, -1e9};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const RatingFit fit =
        Fit(4, 3, SimulateRoundRobin(world, 50, seed), {.strengths = Strengths::kByStage});
    EXPECT_EQ(fit.Style(3), std::nullopt);
    for (int bot = 0; bot < 3; ++bot) {
      EXPECT_LT(std::abs(fit.Style(bot)->value), 4 * fit.Style(bot)->error) << seed << ' ' << bot;
    }
  }
}

// The sums of the sandwich over all blocks, one by one, as documented at RatingFit.
Eigen::MatrixXd PlainMeat(const RatingFit& fit, const std::vector<GameSummary>& games,
                          bool is_jackknifed) {
  std::map<int64_t, std::vector<GameSummary>> blocks;
  for (const GameSummary& game : games) blocks[game.match].push_back(game);
  const int size = fit.layout().size();
  Eigen::MatrixXd meat = Eigen::MatrixXd::Zero(size, size);
  for (const auto& [match, block] : blocks) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(size);
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(size, size);
    for (const GameSummary& game : block) {
      const GameTerms terms =
          Evaluate(fit.layout().ModelOf(game.bots, fit.parameters()), game.outcome.place);
      const auto links = fit.layout().LinksOf(game.bots);
      for (const auto& a : links) {
        gradient[a.parameter] += terms.gradient[a.of_game];
        for (const auto& b : links) {
          information(a.parameter, b.parameter) += terms.information(a.of_game, b.of_game);
        }
      }
    }
    const Eigen::MatrixXd own_pull =
        Eigen::MatrixXd::Identity(size, size) - information * fit.covariance();
    if (is_jackknifed) gradient = own_pull.fullPivLu().solve(gradient).eval();
    meat += gradient * gradient.transpose();
  }
  return meat;
}

// Expects the errors that result from all blocks one by one.
void ExpectErrorsOfAllBlocks(size_t bots, size_t seats, const std::vector<GameSummary>& games,
                             Strengths strengths) {
  const RatingFit fit = Fit(bots, seats, games, {.strengths = strengths});
  const RatingFit empty = Fit(bots, seats, {}, {.strengths = strengths});
  Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(fit.layout().size(), fit.layout().size());
  for (int i = 0; i < fit.layout().size(); ++i) {
    // Without games, the covariance is that of the prior.
    const bool is_tie = i >= fit.layout().AtSeat(seats);
    precision(i, i) = is_tie ? 1.0 / 100 : 1 / empty.covariance()(i, i);
  }
  for (const bool is_jackknifed : {false, true}) {
    const Eigen::MatrixXd meat = PlainMeat(fit, games, is_jackknifed) + precision;
    const Eigen::MatrixXd expected = fit.covariance() * meat * fit.covariance();
    const Eigen::MatrixXd& found =
        is_jackknifed ? fit.jackknife_covariance() : fit.robust_covariance();
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff());
  }
}

// Equal blocks are summed once, and those with the same information together.
TEST(RatingTest, BlocksCountAsIfSummedOneByOne) {
  SimulatedWorld three = ThreeSeats();
  three.opening_deviation = 0.5;
  for (const Strengths strengths : {Strengths::kOne, Strengths::kByStage}) {
    std::vector<GameSummary> games = SimulateRoundRobin(three, 40, 9);
    ExpectErrorsOfAllBlocks(5, 3, games, strengths);
    // Some blocks are incomplete, and some have a seating twice.
    std::erase_if(games, [](const GameSummary& game) { return game.index % 7 == 3; });
    for (GameSummary& game : games) game.match -= game.match % 11 == 5 ? 1 : 0;
    ExpectErrorsOfAllBlocks(5, 3, games, strengths);
  }
  ExpectErrorsOfAllBlocks(5, 2, SimulateRoundRobin(TwoSeats(), 100, 4), Strengths::kOne);
}

TEST(RatingTest, EqualBlocksAreCountedOnce) {
  std::vector<GameSummary> games = SimulateRoundRobin(TwoSeats(), 2'000, 4);
  const GameCounts counts = *CountGames(5, 2, games);
  EXPECT_LE(counts.blocks.size(), 10u * 9u) << "ten pairs, nine results of two games";
  int64_t blocks = 0;
  for (const GameCounts::Block& block : counts.blocks) {
    EXPECT_EQ(block.last - block.first, 2u);
    blocks += block.times;
  }
  EXPECT_EQ(blocks, 20'000);
  EXPECT_EQ(FitRatings(counts)->blocks(), 20'000);

  // The order of the games does not matter.
  std::reverse(games.begin(), games.end());
  const GameCounts reversed = *CountGames(5, 2, games);
  EXPECT_EQ(reversed.block_games, counts.block_games);
  EXPECT_EQ(FitRatings(reversed)->robust_covariance(), FitRatings(counts)->robust_covariance());
}

TEST(RatingTest, RejectsInvalidGames) {
  const auto message = [](std::vector<GameSummary> games) {
    return std::string(CountGames(3, 3, games).status().message());
  };
  EXPECT_THAT(message({Game(7, {0, 1, 3}, {1, 2, 3})}), HasSubstr("game 7: bot 3"));
  EXPECT_THAT(message({Game(7, {0, -1, 2}, {1, 2, 3})}), HasSubstr("game 7: bot -1"));
  EXPECT_THAT(message({Game(7, {0, 1, 2}, {1, 3, 3})}),
              HasSubstr("\"1-3-3\" is not a valid placement"));
  EXPECT_THAT(message({Game(7, {0, 1, 2}, {0, 0, 0})}), HasSubstr("not a valid placement"));
  EXPECT_FALSE(CountGames(3, 4, {}).ok());
  RatingOptions options;
  options.anchor = 3;
  EXPECT_FALSE(FitRatings(*CountGames(3, 3, {}), options).ok());
  EXPECT_FALSE(FitRatings(*CountGames(3, 3, {}), {.prior_elo = 0}).ok());
}

// Regression test: rounding once hid from Newton's method that it had converged.
TEST(RatingTest, ManyGamesTakeFewSteps) {
  SimulatedWorld wide = ThreeSeats();
  wide.strength.clear();
  for (int i = 0; i < 30; ++i) wide.strength.push_back(-0.1 * i);
  EXPECT_LE(Fit(30, 3, SimulateRoundRobin(wide, 1, 1)).newton_steps(), 8);

  SimulatedWorld world = ThreeSeats();
  world.strength = {1, 0.8, 0.6, 0.4, 0.2, 0, -0.2, -0.4, -0.6, -0.8};
  const std::vector<GameSummary> games = SimulateRoundRobin(world, 139, 1);
  const RatingFit fit = Fit(10, 3, games);
  EXPECT_LE(fit.newton_steps(), 8);
  EXPECT_EQ(fit.games(), 100'080);
  EXPECT_EQ(fit.blocks(), 16'680);
  EXPECT_NEAR(fit.Difference(0, 9).value, 1.8 * kEloPerNatural, 10);
}

// --- The model of one game -----------------------------------------------------------------------

TEST(DavidsonLuceTest, ProbabilitiesOfAllPlacementsAddUp) {
  for (const size_t seats : {size_t{2}, size_t{3}}) {
    GameModel model{.seats = seats};
    model.is_by_stage = seats == 3;
    model.parameters << 0.7, -0.2, 0.1, 0.4, -0.6, 0.3, -0.5, -1.5, -0.8;
    double sum = 0;
    for (const PerSeat<uint8_t>& place : Placements(seats)) {
      sum += std::exp(Evaluate(model, place).log_likelihood);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_EQ(Placements(2).size(), 3u);
  EXPECT_EQ(Placements(3).size(), 13u);
}

TEST(DavidsonLuceTest, DerivativesAgreeWithDifferences) {
  GameModel model{.is_by_stage = true};
  model.parameters << 0.7, -0.2, 0.1, 0.4, -0.6, 0.3, -0.5, -1.5, -0.8;
  constexpr double kStep = 1e-5;
  for (const PerSeat<uint8_t>& place : Placements(3)) {
    const GameTerms terms = Evaluate(model, place);
    for (int i = 0; i < kGameParameters; ++i) {
      GameModel up = model;
      GameModel down = model;
      up.parameters[i] += kStep;
      down.parameters[i] -= kStep;
      const GameTerms above = Evaluate(up, place);
      const GameTerms below = Evaluate(down, place);
      EXPECT_NEAR(terms.gradient[i], (above.log_likelihood - below.log_likelihood) / (2 * kStep),
                  1e-8);
      EXPECT_LT((terms.information.col(i) + (above.gradient - below.gradient) / (2 * kStep)).norm(),
                1e-8);
    }
  }
}

TEST(DavidsonLuceTest, FindsPlacements) {
  for (size_t i = 0; i < 13; ++i) EXPECT_EQ(PlacementIndex(Placements(3)[i], 3), i);
  EXPECT_EQ(PlacementIndex({{1, 2, 7}}, 2), PlacementIndex({{1, 2, 0}}, 2));
  EXPECT_EQ(PlacementIndex({{2, 2, 3}}, 3), std::nullopt);
  EXPECT_EQ(PlacementIndex({{1, 2, 2}}, 2), 1u);
}

}  // namespace
}  // namespace triarch::ratings
