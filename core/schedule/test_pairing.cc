#include "core/schedule/test_pairing.h"

#include "core/base/check.h"
#include "core/record/tournament_spec.h"
#include "core/schedule/pairing.h"

namespace triarch {

int64_t GamesPerTestUnit(size_t seats) { return SeatingsPerSet(seats); }

int64_t GamesPerTestMatch(TestField field, size_t seats) {
  const bool is_half = seats == 3 && field == TestField::kMirror;
  return is_half ? SeatingsPerSet(seats) / 2 : SeatingsPerSet(seats);
}

PerSeat<int> SeatTestBots(TestField field, int64_t bots, size_t seats, int64_t index) {
  CHECK(index >= 0 && bots >= (field == TestField::kPool ? 3 : 2));
  const int64_t per_unit = GamesPerTestUnit(seats);
  const int64_t unit = index / per_unit;
  const int64_t game = index % per_unit;
  if (seats == 2 || field == TestField::kPool) {
    PerSeat<int> table = SeatBots(Format::kRoundRobin, static_cast<int64_t>(seats), seats, 0, game);
    for (int& bot : table) {
      if (bot > kBaseBot) bot += static_cast<int>(unit % (bots - 2));
    }
    return table;
  }
  const bool is_new_alone = game < static_cast<int64_t>(seats);
  PerSeat<int> table;
  for (size_t seat = 0; seat < seats; ++seat) {
    const bool is_alone = static_cast<int64_t>(seat) == game % static_cast<int64_t>(seats);
    table[SeatAt(seat)] = is_alone == is_new_alone ? kNewBot : kBaseBot;
  }
  return table;
}

}  // namespace triarch
