#include "coordinator/store/tally.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/status_macros.h"

// A tally is a sequence of varints (seven bits a byte, the lowest first; the highest bit says that
// more follow) and bytes:
//
//   plies, number of bots, and for each bot its number and costs
//   for each game by index: two bits for the place of each seat, kIsApart and kIsNextMatch in one
//   byte; [index - last index - 1]; [match - last match, zigzag]; termination; and for each seat
//   the bot and 0 or the ending + 1
namespace triarch {
namespace {

constexpr unsigned kIsApart = 1u << 6;      // its index does not follow that of the last game
constexpr unsigned kIsNextMatch = 1u << 7;  // its match is not that of the last game
// Numbers of terminations are part of the format.
constexpr size_t kTerminations = static_cast<size_t>(Termination::kAbandoned) + 1;
static_assert(kTerminations == 16);

// ---- Writing.

void PutVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void PutCosts(const GameCosts& costs, std::string& out) {
  PutVarint(static_cast<uint64_t>(costs.plies), out);
  PutVarint(costs.bots.size(), out);
  for (const auto& [number, bot] : costs.bots) {
    PutVarint(static_cast<uint64_t>(number), out);
    for (const int64_t value :
         {bot.moves, bot.nodes, bot.time_us, bot.fallbacks, bot.measured_moves, bot.cpu_us}) {
      PutVarint(static_cast<uint64_t>(value), out);
    }
  }
}

// `last_index` and `last_match` are those of the game before.
void PutGame(const GameSummary& game, int64_t last_index, int64_t last_match, std::string& out) {
  const PerSeat<uint8_t>& place = game.outcome.place;
  const uint64_t apart = static_cast<uint64_t>(game.index - last_index - 1);
  const auto next = static_cast<uint64_t>(game.match - last_match);
  unsigned head = (apart != 0 ? kIsApart : 0) | (next != 0 ? kIsNextMatch : 0);
  for (size_t i = 0; i < kSeatsMax; ++i) head |= unsigned{place[SeatAt(i)]} << (2 * i);
  out += static_cast<char>(head);
  if (apart != 0) PutVarint(apart, out);
  if (next != 0) PutVarint((next << 1) ^ (game.match < last_match ? ~uint64_t{0} : 0), out);
  out += static_cast<char>(game.outcome.termination);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    if (place[seat] == 0) continue;
    PutVarint(static_cast<uint64_t>(game.bots[seat]), out);
    const std::optional<Termination>& ending = game.endings[seat];
    out += static_cast<char>(ending ? static_cast<int>(*ending) + 1 : 0);
  }
}

// ---- Reading.

// Reads varints and bytes. After the end, or in a varint that is too long, everything is 0.
class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_done() const { return next_ == end_; }
  bool is_broken() const { return is_broken_; }

  unsigned Byte() {
    if (next_ != end_) return static_cast<unsigned char>(*next_++);
    is_broken_ = true;
    return 0;
  }
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned byte = Byte();
      value |= uint64_t{byte & 0x7f} << shift;
      if (byte < 0x80) return value;
    }
    is_broken_ = true;
    return 0;
  }
  int64_t Int() { return static_cast<int64_t>(Varint()); }

 private:
  const char* next_;
  const char* end_;
  bool is_broken_ = false;
};

absl::Status NotATally() { return absl::DataLossError("a tally of games is damaged"); }

absl::Status ReadCosts(Reader& reader, GameCosts* costs) {
  costs->plies += reader.Int();
  for (uint64_t bots = reader.Varint(); bots > 0 && !reader.is_broken(); --bots) {
    BotCosts& bot = costs->bots[static_cast<int>(reader.Varint())];
    BotCosts more;
    for (int64_t* const value : {&more.moves, &more.nodes, &more.time_us, &more.fallbacks,
                                 &more.measured_moves, &more.cpu_us}) {
      *value = reader.Int();
    }
    bot.Add(more);
  }
  return reader.is_broken() ? NotATally() : absl::OkStatus();
}

// Reads a game into the summary of the game before.
absl::Status ReadGame(Reader& reader, GameSummary* game) {
  const unsigned head = reader.Byte();
  game->index += 1 + ((head & kIsApart) != 0 ? reader.Int() : 0);
  if ((head & kIsNextMatch) != 0) {
    const uint64_t zigzag = reader.Varint();
    game->match += static_cast<int64_t>((zigzag >> 1) ^ ((zigzag & 1) != 0 ? ~uint64_t{0} : 0));
  }
  const unsigned termination = reader.Byte();
  if (termination >= kTerminations) return NotATally();
  game->outcome.termination = static_cast<Termination>(termination);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    game->outcome.place[seat] = static_cast<uint8_t>(head >> (2 * i) & 3);
    if (game->outcome.place[seat] == 0) continue;
    game->bots[seat] = static_cast<int>(reader.Varint());
    const unsigned ending = reader.Byte();
    if (ending > kTerminations) return NotATally();
    game->endings[seat].reset();
    if (ending > 0) game->endings[seat] = static_cast<Termination>(ending - 1);
  }
  return reader.is_broken() ? NotATally() : absl::OkStatus();
}

}  // namespace

absl::Status VisitTally(std::string_view tally, ResultVisitor visit, GameCosts* costs) {
  Reader reader(tally);
  RETURN_IF_ERROR(ReadCosts(reader, costs));
  GameSummary game;
  game.index = -1;
  while (!reader.is_done()) {
    RETURN_IF_ERROR(ReadGame(reader, &game));
    RETURN_IF_ERROR(visit(game));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> AddToTally(std::string_view tally, std::vector<GameSummary> games) {
  GameCosts costs;
  for (const GameSummary& game : games) costs.Add(game);
  if (!tally.empty()) {
    const auto keep = [&games](const GameSummary& game) {
      games.push_back(game);
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(VisitTally(tally, keep, &costs));
  }
  std::sort(games.begin(), games.end(),
            [](const GameSummary& a, const GameSummary& b) { return a.index < b.index; });
  std::string out;
  PutCosts(costs, out);
  int64_t last_index = -1;
  int64_t last_match = 0;
  for (const GameSummary& game : games) {
    PutGame(game, last_index, last_match, out);
    last_index = game.index;
    last_match = game.match;
  }
  return out;
}

absl::StatusOr<std::map<int64_t, std::string>> AddToTallies(
    const std::function<absl::StatusOr<std::string>(int64_t number)>& read,
    std::span<const GameSummary> games) {
  std::map<int64_t, std::vector<GameSummary>> by_tally;
  for (const GameSummary& game : games) by_tally[TallyOf(game.index)].push_back(game);
  std::map<int64_t, std::string> changed;
  for (auto& [number, more] : by_tally) {
    ASSIGN_OR_RETURN(const std::string old, read(number));
    ASSIGN_OR_RETURN(changed[number], AddToTally(old, std::move(more)));
  }
  return changed;
}

}  // namespace triarch
