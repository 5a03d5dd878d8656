#include "arena/session/matching.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace triarch::arena {
namespace {

using RatingOf = std::function<double(std::string_view game, std::string_view name)>;

// The players with accounts count.
double MeanRating(const Table& table, const RatingOf& rating) {
  double sum = 0;
  double players = 0;
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const std::optional<Occupant>& occupant = table.occupant(SeatAt(i));
    if (!occupant || !occupant->is_claimed) continue;
    sum += rating(table.settings().game, occupant->name);
    ++players;
  }
  return players == 0 ? 0 : sum / players;
}

}  // namespace

bool IsInWindow(const Table& table, const JoinAsk& ask, const SessionOptions& options,
                const SessionParts& parts) {
  if (!table.settings().is_rated || table.player_count() == 0) return true;
  const double seconds = static_cast<double>(parts.now_ms() - table.opened_ms()) / 1'000;
  const double rating = parts.rating(table.settings().game, ask.occupant.name);
  return std::abs(rating - MeanRating(table, parts.rating)) <=
         options.window + options.window_per_second * std::max(seconds, 0.0);
}

bool HasBotsFor(const GameInfo& game, const SessionOptions& options) {
  const std::set<std::string> words(options.house_bots.begin(), options.house_bots.end());
  return words.size() + 1 >= game.seats;
}

std::vector<std::string> HouseBotsFor(const Table& table, const SessionOptions& options,
                                      const SessionParts& parts) {
  const std::string& game = table.settings().game;
  if (!table.settings().is_rated) return {options.house_bots.at(0)};
  const double mean = MeanRating(table, parts.rating);
  // A bot plays one seat of a rated table; a rematch has reserved some.
  std::set<std::string> used;
  for (const std::string& reserved : table.settings().house_bots) used.insert(reserved);
  std::vector<std::pair<double, std::string>> bots;
  for (const std::string& word : options.house_bots) {
    if (!used.insert(word).second) continue;
    bots.emplace_back(std::abs(parts.rating(game, word) - mean), word);
  }
  if (bots.empty()) bots.emplace_back(0, options.house_bots.at(0));
  std::stable_sort(bots.begin(), bots.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (auto& [distance, word] : bots) words.push_back(std::move(word));
  return words;
}

size_t FreeSeats(const Table& table) {
  size_t free = 0;
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    free += !table.occupant(seat) && table.settings().house_bots[seat].empty() ? 1 : 0;
  }
  return free;
}

}  // namespace triarch::arena
