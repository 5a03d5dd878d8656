#include "selfplay/dataset/replay_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/counted.h"
#include "core/sample.h"
#include "selfplay/dataset/game_replay.h"

namespace triarch {
namespace {

constexpr double kPointsSlack = 1e-5;

using Fault = std::function<void(const SampleFault&)>;

std::string Shown(std::span<const float> shares) {
  return absl::StrJoin(shares, " ", [](std::string* out, float share) {
    absl::StrAppendFormat(out, "%.3f", share);
  });
}

// Returns each seat's share of the points in the final state.
std::array<float, kSeatsMax> SharesOf(const AnyState& state) {
  const size_t seats = state.info().seats;
  const PerSeat<double> points = Points(state.outcome()->place, seats);
  double sum = 0;
  for (size_t i = 0; i < seats; ++i) sum += points[SeatAt(i)];
  std::array<float, kSeatsMax> shares{};
  for (size_t i = 0; i < seats; ++i) shares[i] = static_cast<float>(points[SeatAt(i)] / sum);
  return shares;
}

bool AreEqual(std::span<const float> shares, const std::array<float, kSeatsMax>& expected) {
  for (size_t i = 0; i < shares.size(); ++i) {
    if (std::abs(shares[i] - expected[i]) > kPointsSlack) return false;
  }
  return true;
}

class GameChecker {
 public:
  GameChecker(const Shard& shard, size_t game, SampleRange samples, const Fault& on_fault)
      : shard_(shard),
        game_(game),
        samples_(samples),
        seats_(static_cast<size_t>(shard.meta.seats)),
        on_fault_(on_fault) {}

  void Check() {
    absl::StatusOr<GameReplay> replay = GameReplay::Begin(shard_, game_);
    if (!replay.ok()) return ReportGameFault(0, std::string(replay.status().message()));
    size_t sample = samples_.first;
    while (!replay->is_done()) {
      NoteTurn(*replay);
      if (replay->is_move_next() && sample < samples_.last && shard_.ply[sample] == replay->ply()) {
        CheckSample(*replay, sample++);
      }
      const absl::Status status = replay->Step();
      if (!status.ok()) return ReportGameFault(replay->ply(), std::string(status.message()));
    }
    CheckResignations(*replay);
    CheckPoints(*replay);
  }

 private:
  void ReportGameFault(size_t ply, std::string what) const {
    on_fault_({.game = shard_.game_index[game_], .ply = ply, .what = std::move(what)});
  }
  void ReportSampleFault(size_t sample, std::string what) const {
    on_fault_({.sample = sample,
               .game = shard_.game_index[game_],
               .ply = shard_.ply[sample],
               .what = std::move(what)});
  }

  int32_t ResignPly(size_t seat) const { return shard_.game_resign_ply[game_ * seats_ + seat]; }

  void NoteTurn(const GameReplay& replay) {
    const size_t seat = Index(replay.state().to_move());
    if (ResignPly(seat) == static_cast<int64_t>(replay.ply())) had_turn_[seat] = true;
  }

  void CheckResignations(const GameReplay& replay) const {
    for (size_t seat = 0; seat < seats_; ++seat) {
      if (ResignPly(seat) < 0 || had_turn_[seat]) continue;
      ReportGameFault(
          replay.ply(),
          absl::StrFormat("game_resign_ply: seat %d has no turn at ply %d", seat, ResignPly(seat)));
    }
  }

  void CheckPoints(const GameReplay& replay) const {
    const auto points = std::span(shard_.game_points).subspan(game_ * seats_, seats_);
    if (replay.state().outcome()) {
      const auto expected = SharesOf(replay.state());
      if (AreEqual(points, expected)) return;
      return ReportGameFault(
          replay.ply(),
          absl::StrFormat("game_points: %s; expected %s because the game ends by %s", Shown(points),
                          Shown(std::span(expected).first(seats_)),
                          std::string(ToString(replay.state().outcome()->termination))));
    }
    AnyState draw = replay.state();
    draw.Adjudicate();
    const auto drawn = SharesOf(draw);
    if (AreEqual(points, drawn)) return;
    for (size_t i = 0; i < seats_; ++i) {
      if (!replay.state().is_in(SeatAt(i))) continue;
      AnyState win = replay.state();
      win.AdjudicateWin(SeatAt(i));
      if (AreEqual(points, SharesOf(win))) return;
    }
    ReportGameFault(
        replay.ply(),
        absl::StrFormat("game_points: %s; expected %s (a draw of the seats still in the game) or a "
                        "win for one of them",
                        Shown(points), Shown(std::span(drawn).first(seats_))));
  }

  void CheckSample(const GameReplay& replay, size_t sample) {
    const size_t to_move = Index(replay.state().to_move());
    if (shard_.seat[sample] != to_move) {
      ReportSampleFault(sample,
                        absl::StrFormat("seat: %d; expected %d", shard_.seat[sample], to_move));
    }
    const auto cells = static_cast<size_t>(shard_.meta.cells);
    std::array<uint8_t, kSampleCellsMax> expected_cells{};
    std::array<uint8_t, kSampleState> expected_state{};
    replay.state().Visit([&]<class P>(const GameState<P>& state) {
      PackPosition(state.position(), expected_cells.data(), expected_state.data());
    });
    CheckBytes(sample, "cells", std::span(shard_.cells).subspan(sample * cells, cells),
               expected_cells.data());
    CheckBytes(sample, "state",
               std::span(shard_.state).subspan(sample * kSampleState, kSampleState),
               expected_state.data());
    CheckLegal(replay, sample);
  }

  void CheckBytes(size_t sample, const char* name, std::span<const uint8_t> bytes,
                  const uint8_t* expected) const {
    size_t wrong = 0;
    size_t first = 0;
    for (size_t i = bytes.size(); i-- > 0;) {
      if (bytes[i] == expected[i]) continue;
      ++wrong;
      first = i;
    }
    if (wrong == 0) return;
    std::string what = absl::StrFormat("%s: byte %d is %d; expected %d", name, first, bytes[first],
                                       expected[first]);
    if (wrong > 1) what += " (and " + Counted(wrong - 1, "more byte") + ")";
    ReportSampleFault(sample, std::move(what));
  }

  void CheckLegal(const GameReplay& replay, size_t sample) {
    expected_.assign(replay.indices().begin(), replay.indices().end());
    std::sort(expected_.begin(), expected_.end());
    const auto begin = shard_.legal.begin() + shard_.legal_offsets[sample];
    const auto end = shard_.legal.begin() + shard_.legal_offsets[sample + 1];
    if (std::equal(begin, end, expected_.begin(), expected_.end())) return;
    std::vector<uint16_t> missing, extra;
    std::set_difference(expected_.begin(), expected_.end(), begin, end,
                        std::back_inserter(missing));
    std::set_difference(begin, end, expected_.begin(), expected_.end(), std::back_inserter(extra));
    std::string what =
        absl::StrFormat("legal: %s; expected %d", Counted(end - begin, "move"), expected_.size());
    if (!missing.empty()) {
      const size_t number = replay.NumberOf(missing[0]);
      what += absl::StrFormat(", with %d (%s)", missing[0],
                              replay.state().MoveToString(replay.moves(), number));
    }
    if (!extra.empty()) what += absl::StrFormat(", without %d", extra[0]);
    ReportSampleFault(sample, std::move(what));
  }

  const Shard& shard_;
  const size_t game_;
  const SampleRange samples_;
  const size_t seats_;
  const Fault& on_fault_;
  std::array<bool, kSeatsMax> had_turn_{};  // by seat: whether it was to move at its
                                            // game_resign_ply
  std::vector<uint16_t> expected_;
};

}  // namespace

std::string ToString(const SampleFault& fault) {
  const std::string where = absl::StrFormat("game %d, ply %d", fault.game, fault.ply);
  if (!fault.sample) return where + ": " + fault.what;
  return absl::StrFormat("sample %d (%s): %s", *fault.sample, where, fault.what);
}

void ReplaySamples(const Shard& shard, const Fault& on_fault) {
  const std::vector<SampleRange> samples = SamplesByGame(shard);
  for (size_t game = 0; game < shard.games(); ++game) {
    GameChecker(shard, game, samples[game], on_fault).Check();
  }
}

}  // namespace triarch
