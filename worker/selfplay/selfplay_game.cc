#include "worker/selfplay/selfplay_game.h"

#include <algorithm>
#include <array>

#include "core/base/portable_math.h"
#include "core/sample.h"
#include "selfplay/shard/policy.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard.h"

namespace triarch {
namespace {

// Players use the indices from 1 upwards (loop_game.cc).
constexpr uint64_t kSeedOfSelfplay = 100;

// Requires: `base` is above 0 and at most 1.
float Power(double base, double exponent) {
  return static_cast<float>(PortableExp(PortableLog(base) * exponent));
}

}  // namespace

SelfplayGame::SelfplayGame(const SelfplaySpec& spec, uint64_t game_seed)
    : spec_(spec),
      random_(DeriveSeed(game_seed, kSeedOfSelfplay)),
      is_played_out_(random_.Unit() < spec.played_out_share) {
  search_info_.wants_explanation = false;
}

void SelfplayGame::BeginTurn(int64_t ply, SearchLimits* limits) {
  ply_ = ply;
  const bool is_full = random_.Unit() < spec_.full_share;
  is_kept_ = random_.Unit() < spec_.sample_rate && is_full;
  noise_.reset();
  const uint64_t noise_seed = random_.Next();
  if (is_full && spec_.noise_share > 0) {
    noise_ = {.alpha = spec_.noise_alpha, .share = spec_.noise_share, .seed = noise_seed};
  }
  if (!is_full) {
    limits->nodes = std::min(limits->nodes.value_or(spec_.fast_nodes), spec_.fast_nodes);
    limits->is_fast = true;
  }
  limits->noise = noise_;
  search_info_.policy.clear();
  search_info_.has_noise = false;
  limits->search_info = is_kept_ || Temperature() > 0 || noise_ ? &search_info_ : nullptr;
}

double SelfplayGame::Temperature() const {
  double temperature = 0;
  for (const SelfplaySpec::TemperatureStep& step : spec_.temperature) {
    if (step.plies > ply_) break;
    temperature = step.temperature;
  }
  return temperature;
}

void SelfplayGame::Explore(Seat seat, size_t moves, std::optional<double> share,
                           Decision* decision) {
  // A policy that does not match the moves is useless for drawing and learning.
  if (search_info_.policy.size() != moves) search_info_.policy.clear();
  if (decision->kind != Decision::Kind::kMove || decision->move >= moves) return;
  if (share) NoteHope(seat, *share, decision);
  if (decision->kind != Decision::Kind::kMove) return;
  const bool is_random = spec_.random_moves > 0 && random_.Unit() < spec_.random_moves;
  decision->move = is_random ? random_.Below(static_cast<uint32_t>(moves)) : Draw(decision->move);
}

// Returns the move to play instead of the player's choice `own`.
size_t SelfplayGame::Draw(size_t own) {
  const double temperature = Temperature();
  if (temperature <= 0 || search_info_.policy.empty()) return own;
  std::vector<float> weights = search_info_.policy;
  // If the player did not use the noise itself, it is mixed into the policy here.
  if (noise_ && !search_info_.has_noise) MixIn(*noise_, weights);
  const float most = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (float& weight : weights) {
    if (weight > 0) weight = Power(static_cast<double>(weight) / most, 1 / temperature);
    sum += static_cast<double>(weight);
  }
  double left = random_.Unit() * sum;
  for (size_t i = 0; i < weights.size(); ++i) {
    left -= static_cast<double>(weights[i]);
    if (left < 0) return i;
  }
  return own;
}

void SelfplayGame::NoteHope(Seat seat, double share, Decision* decision) {
  if (spec_.resign_below <= 0) return;
  int64_t& turns = hopeless_turns_[seat];
  turns = share < spec_.resign_below ? turns + 1 : 0;
  if (turns < spec_.resign_turns) return;
  if (!is_played_out_) {
    decision->kind = Decision::Kind::kResign;
  } else if (!samples_.resignations[seat]) {
    samples_.resignations[seat] = static_cast<int32_t>(ply_);
  }
}

void SelfplayGame::AddMove(const AnyState& state, const AnyState::Moves& moves, size_t number,
                           const std::optional<PerSeat<double>>& opinion) {
  // A shard cannot number later plies.
  if (is_kept_ && ply_ < kPliesMax) AddRow(state, moves, number, opinion);
  is_kept_ = false;
  state.Visit([&]<class P>(const GameState<P>&) {
    samples_.moves.push_back(static_cast<uint16_t>(PolicyIndex(moves.As<P>()[number])));
  });
}

void SelfplayGame::AddLeaving(Seat seat) {
  samples_.moves.push_back(static_cast<uint16_t>(kSeatLeft + Index(seat)));
}

void SelfplayGame::AddRow(const AnyState& state, const AnyState::Moves& moves, size_t number,
                          const std::optional<PerSeat<double>>& opinion) {
  SampleRow row;
  row.ply = static_cast<int>(ply_);
  row.seat = state.to_move();
  row.key = state.key();
  if (opinion) {
    row.value.emplace();
    for (size_t i = 0; i < kSeatsMax; ++i) {
      // A bot's shares may be slightly negative (AreShares).
      (*row.value)[SeatAt(i)] = std::max(0.0f, static_cast<float>((*opinion)[SeatAt(i)]));
    }
  }
  std::array<uint8_t, kSampleCellsMax> cells;
  std::array<uint8_t, kSampleState> bytes;
  state.Visit([&]<class P>(const GameState<P>& game) {
    PackPosition(game.position(), cells.data(), bytes.data());
    row.cells = {cells.data(), SampleShape<P>::kCells};
    legal_.clear();
    moves.As<P>().ForEach([this](typename P::Move move) {
      legal_.push_back(static_cast<uint16_t>(PolicyIndex(move)));
    });
  });
  row.state = bytes;
  row.legal = legal_;
  row.played = legal_[number];
  if (!search_info_.policy.empty()) {
    policy_.resize(legal_.size());
    QuantizePolicy(search_info_.policy, policy_);
    row.policy = policy_;
  }
  AppendRow(row, &samples_.rows);
  ++samples_.count;
}

}  // namespace triarch
