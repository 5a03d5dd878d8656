#include "arena/service/house_crew.h"

#include <exception>
#include <utility>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "bots/searchers.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_flag.h"

namespace triarch::arena {

namespace {

// Strangers can ask for bots with any options.
constexpr size_t kWordMax = 80;     // bytes
constexpr size_t kPlayersMax = 32;  // per thread

// House bots that play on among themselves get this part of the time.
constexpr int kNobodysShare = 10;

}  // namespace

absl::Status CheckHouseBot(const std::string& word) {
  ASSIGN_OR_RETURN(const BotSpec spec, ParseBotFlag(word));
  for (const GameInfo* const game : AllGames()) RETURN_IF_ERROR(CheckBot(*game, spec));
  return CheckBotHere(spec);
}

absl::Status CheckHouseBotFor(const std::string& game, const std::string& word) {
  if (word.size() > kWordMax) {
    return absl::InvalidArgumentError(absl::StrFormat("expected at most %d bytes", kWordMax));
  }
  if (word.substr(0, word.find(':')).find('=') != std::string::npos) {
    return absl::InvalidArgumentError("a house bot has no other name: " + Quote(word));
  }
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  ASSIGN_OR_RETURN(const BotSpec spec, ParseBotFlag(word));
  RETURN_IF_ERROR(FindBot(Searchers(), spec.bot).status());
  return CheckBot(*info, spec);
}

HouseCrew::HouseCrew(Options options, std::function<void(std::function<void()>)> post)
    : options_(options), post_(std::move(post)) {
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { Work(); });
}

HouseCrew::~HouseCrew() {
  {
    MutexLock lock(&mutex_);  // so that no thread misses it between its check and its wait
    is_stopping_ = true;
  }
  changed_.NotifyAll();
}

HouseCrew::Urgency HouseCrew::UrgencyOf(const Table& table) {
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    if (table.occupant(seat)->is_house_bot() || !table.state().is_in(seat)) continue;
    return table.settings().is_rated ? kRated : kUnrated;
  }
  return kNobodyLeft;
}

void HouseCrew::Choose(const Table& table, Seat seat,
                       std::function<void(std::optional<size_t>)> done) {
  const auto salt = static_cast<uint64_t>(table.plies() * 4 + static_cast<int64_t>(seat));
  const Urgency urgency = UrgencyOf(table);
  {
    MutexLock lock(&mutex_);
    turns_[urgency].push_back({.urgency = urgency,
                               .state = table.state(),
                               .seat = seat,
                               .bot = table.occupant(seat)->house_bot,
                               .seed = DeriveSeed(table.settings().seed, salt),
                               .plies = table.plies(),
                               .done = std::move(done)});
  }
  changed_.NotifyOne();
}

std::optional<HouseCrew::Turn> HouseCrew::Take(std::chrono::milliseconds* time) {
  for (std::deque<Turn>& turns : turns_) {
    if (turns.empty()) continue;
    Turn turn = std::move(turns.front());
    turns.pop_front();
    // The more turns wait, the less time each gets, so that the wait stays short.
    *time = options_.move_time / (1 + static_cast<int64_t>(turns.size()) / options_.threads);
    if (turn.urgency == kNobodyLeft) *time /= kNobodysShare;
    return turn;
  }
  return std::nullopt;
}

void HouseCrew::Work() {
  Players players;
  while (true) {
    std::optional<Turn> turn;
    std::chrono::milliseconds time{0};
    {
      MutexLock lock(&mutex_);
      while (!is_stopping_ && !(turn = Take(&time))) changed_.Wait(&mutex_);
      if (is_stopping_) return;
    }
    const std::optional<size_t> move = Play(*turn, time, players);
    if (is_stopping_) return;
    post_([done = std::move(turn->done), move] { done(move); });
  }
}

std::optional<size_t> HouseCrew::Play(const Turn& turn, std::chrono::milliseconds time,
                                      Players& players) {
  const GameInfo& game = turn.state.info();
  if (players.size() >= kPlayersMax) players.clear();
  std::unique_ptr<SyncPlayer>& player = players[{turn.bot, std::string(game.name)}];
  if (player == nullptr) {
    const absl::StatusOr<BotSpec> spec = ParseBotFlag(turn.bot);
    if (!spec.ok()) return std::nullopt;
    absl::StatusOr<std::unique_ptr<SyncPlayer>> made = MakePlayer(game, *spec);
    if (!made.ok()) return std::nullopt;
    player = *std::move(made);
  }
  const AnyState::Moves moves = turn.state.LegalMoves();
  SearchLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + time;
  limits.stop = &is_stopping_;
  limits.plies = turn.plies;
  try {
    player->NewGame(turn.seat, turn.seed);
    const triarch::Decision decision = player->Choose(turn.state, moves, limits);
    if (decision.kind == triarch::Decision::Kind::kMove && decision.move < moves.size()) {
      return decision.move;
    }
  } catch (const std::exception&) {
    player = nullptr;
  }
  return std::nullopt;
}

}  // namespace triarch::arena
