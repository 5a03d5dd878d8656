#include "core/schedule/format_games.h"

#include <algorithm>
#include <bit>

#include "core/any_state.h"
#include "core/base/check.h"
#include "core/schedule/pairing.h"

namespace triarch {

int DefaultSwissRounds(size_t bots) { return static_cast<int>(std::bit_width(bots - 1)); }

std::vector<size_t> DivisionSizes(size_t bots, size_t size) {
  CHECK(bots >= 1 && size >= 3);
  constexpr size_t kSizeMin = 3;
  const size_t count = std::max<size_t>(1, std::min((bots + size / 2) / size, bots / kSizeMin));
  std::vector<size_t> sizes(count, bots / count);
  for (size_t i = 0; i < bots % count; ++i) ++sizes[i];
  return sizes;
}

int64_t GamesOfFormat(const TournamentSpec& spec) {
  const size_t seats = (*FindGame(spec.game))->seats;
  const auto bots = static_cast<int64_t>(spec.bots.size());
  const FormatOptions& options = spec.format_options;
  int64_t matches = 0;
  if (spec.format == Format::kAdaptive) {
    matches = SetsPerRound(Format::kRoundRobin, bots, seats);
  } else if (spec.format == Format::kSwiss) {
    matches = options.swiss_rounds * (bots / static_cast<int64_t>(seats));
  } else if (spec.format == Format::kKnockout) {
    matches = (bots - 1) * kKnockoutMatchesMax;  // every table eliminates a bot
  } else {
    CHECK(spec.format == Format::kLeague);
    const auto division = static_cast<size_t>(options.league_division);
    for (const size_t size : DivisionSizes(spec.bots.size(), division)) {
      matches += SetsPerRound(Format::kRoundRobin, static_cast<int64_t>(size), seats);
    }
  }
  return matches * SeatingsPerSet(seats);
}

}  // namespace triarch
