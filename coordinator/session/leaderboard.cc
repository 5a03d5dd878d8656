#include "coordinator/session/leaderboard.h"

#include <algorithm>

#include "core/base/check.h"

namespace triarch {
namespace {

// Returns the number of seats; a seat that the game lacks has place 0.
size_t SeatsOf(const Outcome& outcome) {
  return static_cast<size_t>(std::count_if(outcome.place.begin(), outcome.place.end(),
                                           [](uint8_t place) { return place != 0; }));
}

}  // namespace

Leaderboard::Leaderboard(const std::vector<BotSpec>& bots) {
  for (const BotSpec& bot : bots) rows_.push_back({.bot = bot.name});
}

void Leaderboard::Add(const GameRecord& game) {
  PerSeat<size_t> bots;
  for (size_t i = 0; i < SeatsOf(game.outcome); ++i) {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const Row& one) { return one.bot == game.bots[SeatAt(i)]; });
    CHECK(row != rows_.end());
    bots[SeatAt(i)] = static_cast<size_t>(row - rows_.begin());
  }
  Add(bots, game.outcome);
}

void Leaderboard::Add(const GameSummary& game) {
  PerSeat<size_t> bots;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    bots[SeatAt(i)] = static_cast<size_t>(game.bots[SeatAt(i)]);
  }
  Add(bots, game.outcome);
}

void Leaderboard::Add(const PerSeat<size_t>& bots, const Outcome& outcome) {
  const size_t seats = SeatsOf(outcome);
  const PerSeat<double> points = Points(outcome.place, seats);
  for (size_t i = 0; i < seats; ++i) {
    Row& row = rows_.at(bots[SeatAt(i)]);
    ++row.games;
    row.points += points[SeatAt(i)];
  }
}

std::vector<Leaderboard::Row> Leaderboard::Rows() const {
  std::vector<Row> rows = rows_;
  const auto share = [](const Row& row) {
    return row.games == 0 ? 0.0 : row.points / static_cast<double>(row.games);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return share(a) > share(b); });
  return rows;
}

}  // namespace triarch
