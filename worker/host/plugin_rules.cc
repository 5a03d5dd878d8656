#include "worker/host/plugin_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>

#include "core/evaluate.h"
#include "core/games.h"
#include "core/text.h"

namespace triarch {
namespace {

static_assert(kSeatsMax == TRIARCH_SEATS_MAX);
static_assert(kLegalMovesMax == TRIARCH_MOVES_MAX);
static_assert(static_cast<int>(PieceType::kPawn) == TRIARCH_PAWN);
static_assert(static_cast<int>(PieceType::kKing) == TRIARCH_KING);

// Copies the text with its NUL, truncated to `size` bytes. Returns the full length.
size_t Give(std::string_view text, char* out, size_t size) {
  if (out != nullptr && size > 0) {
    const size_t length = std::min(text.size(), size - 1);
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
  }
  return text.size();
}

// The functions of triarch_host for one game. A triarch_position is a P.
template <Position P>
struct Rules {
  using Move = typename P::Move;
  static_assert(sizeof(Move) == sizeof(triarch_move));
  static_assert(P::kCells <= TRIARCH_PIECES_MAX);

  static const P& From(const triarch_position* position) {
    return *reinterpret_cast<const P*>(position);
  }
  static triarch_position* To(P* position) { return reinterpret_cast<triarch_position*>(position); }

  static triarch_position* Made(const absl::StatusOr<P>& position, char* error, size_t error_size) {
    if (position.ok()) return To(new P(*position));
    const absl::string_view message = position.status().message();
    Give({message.data(), message.size()}, error, error_size);
    return nullptr;
  }
  static triarch_position* StartNamed(const char* name, char* error, size_t error_size) {
    return Made(Start(kGame<P>, name == nullptr ? "" : name), error, error_size);
  }
  static triarch_position* ParseText(const char* text, char* error, size_t error_size) {
    return Made(Parse(kGame<P>, text), error, error_size);
  }
  static triarch_position* Copy(const triarch_position* position) {
    return To(new P(From(position)));
  }
  static void Assign(triarch_position* to, const triarch_position* from) {
    *reinterpret_cast<P*>(to) = From(from);
  }
  static void Destroy(triarch_position* position) { delete reinterpret_cast<P*>(position); }

  static size_t LegalMoves(const triarch_position* position, triarch_move* moves) {
    const auto list = From(position).LegalMoves();
    std::transform(list.begin(), list.end(), moves, std::bit_cast<triarch_move, Move>);
    return list.size();
  }
  static void Play(triarch_position* position, triarch_move move) {
    reinterpret_cast<P*>(position)->Play(std::bit_cast<Move>(move));
  }
  static triarch_seat ToMove(const triarch_position* position) {
    return static_cast<triarch_seat>(Index(From(position).to_move()));
  }
  static bool IsSeat(triarch_seat seat) { return seat < P::kInfo.seats; }
  static int IsIn(const triarch_position* position, triarch_seat seat) {
    return IsSeat(seat) && From(position).is_in(SeatAt(seat));
  }
  static int InCheck(const triarch_position* position, triarch_seat seat) {
    return IsSeat(seat) && From(position).in_check(SeatAt(seat));
  }
  static int GetOutcome(const triarch_position* position, uint32_t* places) {
    const std::optional<Outcome> outcome = From(position).outcome();
    if (!outcome) return 0;
    for (size_t i = 0; i < P::kInfo.seats; ++i) places[i] = outcome->place[SeatAt(i)];
    return 1;
  }
  static uint64_t Hash(const triarch_position* position) { return From(position).key(); }

  static size_t Pieces(const triarch_position* position, triarch_piece* pieces) {
    size_t count = 0;
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = From(position).PieceOn(cell);
      if (!piece) continue;
      pieces[count++] = {.cell = static_cast<uint8_t>(cell),
                         .type = static_cast<uint8_t>(piece->type),
                         .owner = static_cast<uint8_t>(Index(piece->owner))};
    }
    return count;
  }
  static void GetStandings(const triarch_position* position, int32_t* scores) {
    const PerSeat<int> own = Evaluate(From(position));
    for (size_t i = 0; i < P::kInfo.seats; ++i) scores[i] = own[SeatAt(i)];
  }
  static int32_t GetGain(const triarch_position* position, triarch_move move) {
    return CaptureGain(From(position), std::bit_cast<Move>(move));
  }

  static size_t Text(const triarch_position* position, char* text, size_t size) {
    return Give(ToString(From(position)), text, size);
  }
  static size_t MoveText(const triarch_position* position, triarch_move move, char* text,
                         size_t size) {
    return Give(MoveToString(From(position), std::bit_cast<Move>(move)), text, size);
  }
  static size_t CellName(const triarch_position* position, uint32_t cell, char* text, size_t size) {
    if (cell >= static_cast<uint32_t>(P::kCells)) return Give("", text, size);
    return Give(CellText(From(position), static_cast<int>(cell)), text, size);
  }
  static int ReadMove(const triarch_position* position, const char* text, triarch_move* move,
                      char* error, size_t error_size) {
    const absl::StatusOr<Move> parsed = ParseMove(From(position), text);
    if (parsed.ok()) {
      *move = std::bit_cast<triarch_move>(*parsed);
      return 1;
    }
    const absl::string_view message = parsed.status().message();
    Give({message.data(), message.size()}, error, error_size);
    return 0;
  }
};

const PluginTurn& TurnOf(const triarch_turn* turn) {
  return *static_cast<const PluginTurn*>(turn->host_data);
}

template <Position P>
const triarch_host* HostOf() {
  using R = Rules<P>;
  static const std::string name(P::kInfo.name);
  static const triarch_host host = {
      .size = sizeof(triarch_host),
      .abi_version = TRIARCH_ABI_VERSION,
      .game = name.c_str(),
      .seats = static_cast<uint32_t>(P::kInfo.seats),
      .cells = static_cast<uint32_t>(P::kCells),
      .start = R::StartNamed,
      .parse = R::ParseText,
      .copy = R::Copy,
      .assign = R::Assign,
      .destroy = R::Destroy,
      .legal_moves = R::LegalMoves,
      .play = R::Play,
      .to_move = R::ToMove,
      .is_in = R::IsIn,
      .in_check = R::InCheck,
      .outcome = R::GetOutcome,
      .hash = R::Hash,
      .pieces = R::Pieces,
      .evaluate = R::GetStandings,
      .capture_gain = R::GetGain,
      .text = R::Text,
      .move_text = R::MoveText,
      .cell_text = R::CellName,
      .parse_move = R::ReadMove,
      .should_stop = [](const triarch_turn* turn) -> int { return TurnOf(turn).should_stop(); },
      .occurrences = [](const triarch_turn* turn, uint64_t hash) -> uint32_t {
        return TurnOf(turn).CountOccurrences(hash);
      },
  };
  return &host;
}

// Returns the remaining time, 0 if it is used up, or -1 without a limit.
int64_t MillisecondsLeft(const SearchLimits& limits) {
  if (!limits.deadline) return -1;
  const auto left = *limits.deadline - std::chrono::steady_clock::now();
  return std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
}

}  // namespace

const triarch_host* FindPluginHost(std::string_view game) {
  const triarch_host* host = nullptr;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game) return false;
    host = HostOf<P>();
    return true;
  });
  return host;
}

PluginTurn::PluginTurn(const AnyState& state, const AnyState::Moves& moves,
                       const SearchLimits& limits)
    : state_(state), limits_(limits) {
  turn_ = {.size = sizeof(triarch_turn),
           .position = nullptr,
           .moves = nullptr,
           .move_count = moves.size(),
           .nodes = static_cast<uint64_t>(limits.nodes.value_or(0)),
           .depth = static_cast<uint32_t>(limits.depth.value_or(0)),
           .milliseconds = MillisecondsLeft(limits),
           .can_claim_draw = 0,
           .host_data = this};
  state.Visit([&]<class P>(const GameState<P>& game) {
    turn_.position = reinterpret_cast<const triarch_position*>(&game.position());
    // In every game a move consists of one number of this size.
    moves.As<P>().ForEach(
        [this](typename P::Move move) { moves_.push_back(std::bit_cast<triarch_move>(move)); });
    turn_.can_claim_draw = game.claimable().has_value();
  });
  turn_.moves = moves_.data();
}

bool PluginTurn::should_stop() const {
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return true;
  return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
}

uint32_t PluginTurn::CountOccurrences(uint64_t hash) const {
  return static_cast<uint32_t>(
      state_.Visit([&](const auto& game) { return game.occurrences(hash); }));
}

}  // namespace triarch
