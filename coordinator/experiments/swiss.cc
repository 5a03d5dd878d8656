#include "coordinator/experiments/swiss.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/check.h"

namespace triarch::experiments {
namespace {

// What is wrong with a table. Integers, so that every machine compares alike.
struct Cost {
  int64_t meetings = 0;  // sum over pairs of their squared number of earlier meetings
  int64_t distance = 0;  // sum over pairs of their squared difference in quarters of a point

  friend auto operator<=>(const Cost&, const Cost&) = default;
  friend Cost operator+(const Cost& a, const Cost& b) {
    return {a.meetings + b.meetings, a.distance + b.distance};
  }
};

// The points and meetings so far.
class History {
 public:
  explicit History(const SwissEvent& event) : bots_(event.starting_order.size()) {
    for (const double points : PointsOf(bots_, event.seats, event.rounds)) {
      quarters_.push_back(static_cast<int64_t>(4 * points));
    }
    meetings_.resize(bots_ * bots_, 0);
    byes_.resize(bots_, 0);
    for (const RoundResult& round : event.rounds) {
      for (const int bot : round.byes) ++byes_[static_cast<size_t>(bot)];
      for (const MatchResult& match : round.matches) {
        for (const int a : match.bots) {
          for (const int b : match.bots) ++meetings_[PairIndex(a, b)];
        }
      }
    }
  }

  int64_t QuartersOf(int bot) const { return quarters_[static_cast<size_t>(bot)]; }
  int64_t ByesOf(int bot) const { return byes_[static_cast<size_t>(bot)]; }

  Cost CostOf(std::span<const int> table) const {
    Cost cost;
    for (size_t i = 0; i < table.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const int64_t meetings = meetings_[PairIndex(table[i], table[j])];
        const int64_t distance = QuartersOf(table[i]) - QuartersOf(table[j]);
        cost = cost + Cost{meetings * meetings, distance * distance};
      }
    }
    return cost;
  }

 private:
  size_t PairIndex(int a, int b) const {
    return static_cast<size_t>(a) * bots_ + static_cast<size_t>(b);
  }

  size_t bots_;
  std::vector<int64_t> quarters_;
  std::vector<int64_t> meetings_;
  std::vector<int64_t> byes_;
};

std::vector<int> OrderByPoints(const SwissEvent& event, const History& history) {
  std::vector<int> order = event.starting_order;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return history.QuartersOf(a) > history.QuartersOf(b); });
  return order;
}

// Moves the bots that get a bye out of `order`.
std::vector<int> TakeByes(size_t count, const History& history, std::vector<int>& order) {
  std::vector<int> candidates(order.rbegin(), order.rend());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](int a, int b) { return history.ByesOf(a) < history.ByesOf(b); });
  candidates.resize(count);
  for (const int bot : candidates) order.erase(std::find(order.begin(), order.end(), bot));
  return candidates;
}

// Exchanges bots of the two tables wherever that costs less. Returns whether it did.
bool Exchange(const History& history, Table& a, Table& b) {
  bool is_changed = false;
  Cost best = history.CostOf(a) + history.CostOf(b);
  for (int& from_a : a) {
    for (int& from_b : b) {
      std::swap(from_a, from_b);
      const Cost cost = history.CostOf(a) + history.CostOf(b);
      if (cost < best) {
        best = cost;
        is_changed = true;
      } else {
        std::swap(from_a, from_b);
      }
    }
  }
  return is_changed;
}

void ExchangeAll(const History& history, std::vector<Table>& tables) {
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (size_t a = 0; a < tables.size(); ++a) {
      for (size_t b = a + 1; b < tables.size(); ++b) {
        is_changed = Exchange(history, tables[a], tables[b]) || is_changed;
      }
    }
  }
}

int64_t MeetingsAt(const History& history, const std::vector<Table>& tables) {
  Cost sum;
  for (const Table& table : tables) sum = sum + history.CostOf(table);
  return sum.meetings;
}

// Searches in depth for tables with few meetings, nearest neighbours first.
class SeatingSearch {
 public:
  SeatingSearch(const History& history, std::span<const int> order, size_t seats)
      : history_(history), order_(order), seats_(seats), is_seated_(order.size(), false) {}

  // Returns the tables of the round. Returns no table if they would need more repeated meetings, or
  // if all searches together take too long.
  std::vector<Table> Find(int64_t meetings_max) {
    std::vector<Table> tables;
    if (!SeatRest(0, meetings_max, tables)) tables.clear();
    return tables;
  }
  bool is_tired() const { return tried_ > kTablesMax; }

 private:
  static constexpr int kTablesMax = 1'000'000;

  // Seats the bots from position `first` on that are not seated.
  bool SeatRest(size_t first, int64_t meetings_left, std::vector<Table>& tables) {
    while (first < order_.size() && is_seated_[first]) ++first;
    if (first == order_.size()) return true;
    Table table;
    return Complete(first, meetings_left, table, tables);
  }

  // Adds the bot at `position` to `table`, then every possible choice of later bots.
  bool Complete(size_t position, int64_t meetings_left, Table& table, std::vector<Table>& tables) {
    if (++tried_ > kTablesMax) return false;
    table.push_back(order_[position]);
    is_seated_[position] = true;
    if (Continue(position, meetings_left, table, tables)) return true;
    is_seated_[position] = false;
    table.pop_back();
    return false;
  }

  bool Continue(size_t position, int64_t meetings_left, Table& table, std::vector<Table>& tables) {
    const int64_t meetings = history_.CostOf(table).meetings;
    if (meetings > meetings_left) return false;
    if (table.size() == seats_) {
      tables.push_back(table);
      if (SeatRest(0, meetings_left - meetings, tables)) return true;
      tables.pop_back();
      return false;
    }
    for (size_t next = position + 1; next < order_.size(); ++next) {
      if (!is_seated_[next] && Complete(next, meetings_left, table, tables)) return true;
    }
    return false;
  }

  const History& history_;
  std::span<const int> order_;
  size_t seats_;
  std::vector<bool> is_seated_;
  int tried_ = 0;
};

// Replaces the tables by others with the fewest meetings that the search finds.
void AvoidMeetings(const History& history, std::span<const int> order, size_t seats,
                   std::vector<Table>& tables) {
  const int64_t meetings = MeetingsAt(history, tables);
  SeatingSearch search(history, order, seats);
  for (int64_t fewer = 0; fewer < meetings && !search.is_tired(); ++fewer) {
    std::vector<Table> found = search.Find(fewer);
    if (found.empty()) continue;
    tables = std::move(found);
    ExchangeAll(history, tables);
    return;
  }
}

}  // namespace

Pairings NextSwissRound(const SwissEvent& event) {
  CHECK(event.seats >= 2 && event.starting_order.size() >= event.seats);
  const History history(event);
  std::vector<int> order = OrderByPoints(event, history);
  Pairings pairings;
  pairings.byes = TakeByes(order.size() % event.seats, history, order);
  for (size_t i = 0; i < order.size(); i += event.seats) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(i);
    pairings.tables.emplace_back(first, first + static_cast<std::ptrdiff_t>(event.seats));
  }
  ExchangeAll(history, pairings.tables);
  AvoidMeetings(history, order, event.seats, pairings.tables);
  return pairings;
}

}  // namespace triarch::experiments
