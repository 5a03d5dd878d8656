#include "coordinator/leases/ledger.h"

#include <algorithm>

#include "core/base/check.h"

namespace triarch {

Ledger::Ledger(int64_t games, const RangeSet& done)
    : games_(games),
      horizon_(games),
      open_(done.MissingFrom({0, games})),
      done_(done.Within({0, games})) {}

std::optional<Range> Ledger::Take(int64_t games_max) {
  CHECK(games_max >= 1);
  std::optional<Range> range = open_.first();
  if (!range || range->first >= horizon_) return std::nullopt;
  range->last = std::min({range->last, range->first + games_max, horizon_});
  open_.Remove(*range);
  leased_.Add(*range);
  return range;
}

RangeSet Ledger::Claim(const RangeSet& games) {
  RangeSet claimed;
  for (const Range& range : games.ranges()) {
    for (const Range& open : open_.Within(range).ranges()) claimed.Add(open);
  }
  for (const Range& range : claimed.ranges()) {
    open_.Remove(range);
    leased_.Add(range);
  }
  return claimed;
}

void Ledger::Move(const RangeSet& games, RangeSet& from, RangeSet& to) {
  for (const Range& range : games.ranges()) {
    for (const Range& there : from.Within(range).ranges()) {
      from.Remove(there);
      to.Add(there);
    }
  }
}

void Ledger::Return(const RangeSet& games) { Move(games, leased_, open_); }

void Ledger::OpenHeld(const RangeSet& games) { Move(games, held_, open_); }

bool Ledger::MarkDone(int64_t index) {
  CHECK(index >= 0 && index < games_);
  const Range range{index, index + 1};
  if (done_.Add(range) == 0) return false;
  if (leased_.Remove(range) == 0 && open_.Remove(range) == 0) held_.Remove(range);
  return true;
}

bool Ledger::MarkHeld(int64_t index) {
  CHECK(index >= 0 && index < games_);
  const Range range{index, index + 1};
  if (done_.contains(index) || held_.Add(range) == 0) return false;
  if (leased_.Remove(range) == 0) open_.Remove(range);
  return true;
}

}  // namespace triarch
