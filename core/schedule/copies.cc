#include "core/schedule/copies.h"

#include "core/record/game_spec.h"
#include "core/schedule/pairing.h"

namespace triarch {
namespace {

bool AreCopies(const BotSpec& a, const BotSpec& b) {
  BotSpec renamed = a;
  renamed.name = b.name;
  renamed.weight = b.weight;
  return renamed == b;
}

// Returns for each bot the number of the first bot of which it is a copy, which may be its own.
std::vector<size_t> OriginalsOf(const std::vector<BotSpec>& bots) {
  std::vector<size_t> originals;
  for (const BotSpec& bot : bots) {
    size_t original = 0;
    while (!AreCopies(bots[original], bot)) ++original;
    originals.push_back(original);
  }
  return originals;
}

}  // namespace

std::vector<int64_t> SetsWithCopies(const TournamentSpec& spec, size_t seats) {
  const auto bots = static_cast<int64_t>(spec.bots.size());
  const int64_t sets = SetsPerRound(spec.format, bots, seats);
  std::vector<int64_t> found;
  if (sets > kSetsWithCopiesMax) return found;
  const std::vector<size_t> originals = OriginalsOf(spec.bots);
  for (int64_t set = 0; set < sets; ++set) {
    const PerSeat<int> members = SeatBots(spec.format, bots, seats, set, 0);
    bool has_copies = false;
    for (size_t i = 0; i < seats; ++i) {
      for (size_t j = 0; j < i; ++j) {
        has_copies |= originals[static_cast<size_t>(members[SeatAt(i)])] ==
                      originals[static_cast<size_t>(members[SeatAt(j)])];
      }
    }
    if (has_copies) found.push_back(set);
  }
  return found;
}

}  // namespace triarch
