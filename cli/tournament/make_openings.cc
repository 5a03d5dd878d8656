#include "cli/tournament/make_openings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/play/player.h"
#include "core/schedule/random_opening.h"
#include "worker/match/match.h"

namespace triarch {
namespace {

using Line = MadeOpenings::Line;

constexpr int64_t kDrawsPerLine = 8;
// A start with few legal moves may not have as many different openings as asked for.
constexpr int64_t kTriesPerDraw = 4;
constexpr size_t kGamesPerLine = 4;
constexpr int64_t kPliesMax = 400;

// The purposes of derived seeds.
enum class SeedUse : uint64_t { kOpening = 1, kSearch = 2, kGame = 3 };

uint64_t SeedFor(const OpeningsRequest& request, SeedUse use, size_t number) {
  return DeriveSeed(DeriveSeed(request.seed, static_cast<uint64_t>(use)), number);
}

using Task = std::function<absl::Status(size_t number)>;

// Calls the tasks made by `make_task`, one for each thread, with 0 to count - 1. Returns the first
// error.
absl::Status ForEach(size_t count, const std::atomic<bool>& stop,
                     const std::function<absl::StatusOr<Task>()>& make_task) {
  std::atomic<size_t> next = 0;
  std::vector<absl::Status> errors(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (absl::Status& error : errors) {
    threads.emplace_back([&] {
      const absl::StatusOr<Task> task = make_task();
      error = task.status();
      for (size_t i = next++; error.ok() && !stop && i < count; i = next++) error = (*task)(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& error : errors) RETURN_IF_ERROR(error);
  return stop ? absl::CancelledError("interrupted") : absl::OkStatus();
}

AnyState StateAfter(const OpeningsRequest& request, const std::vector<std::string>& moves) {
  AnyState state = AnyState::Start(request.game->name, "").value();
  for (const std::string& move : moves) CHECK(state.Play(move).ok());
  return state;
}

// Returns openings that lead to different positions.
std::vector<Line> Draw(const OpeningsRequest& request) {
  const AnyState start = AnyState::Start(request.game->name, "").value();
  const auto draws = static_cast<size_t>(request.lines * kDrawsPerLine);
  std::vector<Line> lines;
  std::set<uint64_t> keys;
  for (size_t i = 0; lines.size() < draws && i < draws * kTriesPerDraw; ++i) {
    Line line{.moves = RandomOpening(start, request.plies, SeedFor(request, SeedUse::kOpening, i))};
    if (static_cast<int64_t>(line.moves.size()) < request.plies) continue;
    if (keys.insert(StateAfter(request, line.moves).key()).second) lines.push_back(std::move(line));
  }
  return lines;
}

// Searches the position once for each seat as the bot plays on. Returns the imbalance; empty if the
// game ends.
absl::StatusOr<std::optional<double>> ImbalanceOf(AnyState state, uint64_t seed, SyncPlayer& bot,
                                                  const std::atomic<bool>& stop) {
  const size_t seats = state.info().seats;
  PerSeat<double> sum;
  for (size_t turn = 0; turn < seats; ++turn) {
    const AnyState::Moves moves = state.LegalMoves();
    bot.NewGame(state.to_move(), DeriveSeed(seed, turn));
    const Decision decision = bot.Choose(state, moves, {.stop = &stop});
    if (!decision.eval) {
      return absl::InvalidArgumentError(
          "the bot gives no evaluations; expected one that searches, such as mcts:nodes=1000");
    }
    for (size_t i = 0; i < seats; ++i) sum[SeatAt(i)] += (*decision.eval)[SeatAt(i)];
    if (decision.kind != Decision::Kind::kMove) return std::nullopt;
    state.Play(moves, decision.move);
    if (state.outcome()) return std::nullopt;
  }
  double worst = 0;
  const auto count = static_cast<double>(seats);
  for (size_t i = 0; i < seats; ++i) {
    worst = std::max(worst, std::abs(sum[SeatAt(i)] / count - 1 / count));
  }
  return worst;
}

// Sets the imbalance of all lines and removes those after which the game soon ends.
absl::Status Search(const OpeningsRequest& request, const std::atomic<bool>& stop,
                    std::vector<Line>* lines) {
  constexpr double kEnds = 2;  // more than any difference of shares
  RETURN_IF_ERROR(ForEach(lines->size(), stop, [&]() -> absl::StatusOr<Task> {
    ASSIGN_OR_RETURN(std::shared_ptr<SyncPlayer> bot, MakePlayer(*request.game, request.searcher));
    return Task([&, bot](size_t i) -> absl::Status {
      ASSIGN_OR_RETURN(const std::optional<double> imbalance,
                       ImbalanceOf(StateAfter(request, (*lines)[i].moves),
                                   SeedFor(request, SeedUse::kSearch, i), *bot, stop));
      (*lines)[i].imbalance = imbalance.value_or(kEnds);
      return absl::OkStatus();
    });
  }));
  std::erase_if(*lines, [](const Line& line) { return line.imbalance == kEnds; });
  return absl::OkStatus();
}

// Keeps the lines with the smallest imbalance, in their order.
void KeepBest(size_t count, std::vector<Line>* lines) {
  if (lines->size() <= count) return;
  std::vector<double> imbalances;
  for (const Line& line : *lines) imbalances.push_back(line.imbalance);
  std::sort(imbalances.begin(), imbalances.end());
  const double most = imbalances[count - 1];
  std::erase_if(*lines, [&](const Line& line) { return line.imbalance > most; });
  lines->resize(count);  // several may have the same
}

// Plays games from the line with the same bot in all seats. Returns the mean points of each seat.
absl::StatusOr<PerSeat<double>> PlayLine(const OpeningsRequest& request, const Line& line,
                                         size_t number, const PerSeat<PlayerRef>& players,
                                         const std::atomic<bool>& stop) {
  GameSpec spec;
  spec.game = request.game->name;
  spec.opening = line.moves;
  for (BotSpec& bot : spec.seats) bot = request.player;
  spec.adjudication.plies_max = kPliesMax;
  PerSeat<double> mean;
  for (size_t game = 0; game < kGamesPerLine; ++game) {
    spec.seed = SeedFor(request, SeedUse::kGame, number * kGamesPerLine + game);
    ASSIGN_OR_RETURN(const std::optional<GameRecord> record, PlayGame(spec, players, stop));
    if (!record) return absl::CancelledError("interrupted");
    const PerSeat<double> points = Points(record->outcome.place, request.game->seats);
    for (size_t i = 0; i < request.game->seats; ++i) {
      mean[SeatAt(i)] += points[SeatAt(i)] / kGamesPerLine;
    }
  }
  return mean;
}

absl::Status Measure(const OpeningsRequest& request, const std::atomic<bool>& stop,
                     MadeOpenings* made) {
  std::vector<PerSeat<double>> points(made->lines.size());
  RETURN_IF_ERROR(ForEach(points.size(), stop, [&]() -> absl::StatusOr<Task> {
    std::vector<std::shared_ptr<SyncPlayer>> bots;
    PerSeat<PlayerRef> players{};
    for (size_t i = 0; i < request.game->seats; ++i) {
      ASSIGN_OR_RETURN(bots.emplace_back(), MakePlayer(*request.game, request.player));
      players[SeatAt(i)] = bots.back().get();
    }
    return Task([&, bots, players](size_t i) -> absl::Status {
      ASSIGN_OR_RETURN(points[i], PlayLine(request, made->lines[i], i, players, stop));
      return absl::OkStatus();
    });
  }));
  const auto count = static_cast<double>(points.size());
  for (size_t i = 0; i < request.game->seats; ++i) {
    const Seat seat = SeatAt(i);
    double sum = 0;
    double squares = 0;
    for (const PerSeat<double>& of : points) {
      sum += of[seat];
      squares += of[seat] * of[seat];
    }
    made->points[seat] = sum / count;
    made->error[seat] =
        std::sqrt(std::max(0.0, squares / count - std::pow(sum / count, 2)) / count);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MadeOpenings> MakeOpenings(const OpeningsRequest& request,
                                          const std::atomic<bool>& stop) {
  MadeOpenings made;
  made.lines = Draw(request);
  made.drawn = static_cast<int64_t>(made.lines.size());
  RETURN_IF_ERROR(Search(request, stop, &made.lines));
  KeepBest(static_cast<size_t>(request.lines), &made.lines);
  if (static_cast<int64_t>(made.lines.size()) < request.lines) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "only %s of %s can be chosen; expected fewer lines or more plies",
        Counted(made.lines.size(), "different opening"), Counted(request.plies, "ply", "plies")));
  }
  RETURN_IF_ERROR(Measure(request, stop, &made));
  return made;
}

}  // namespace triarch
