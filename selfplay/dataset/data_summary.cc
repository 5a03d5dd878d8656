#include "selfplay/dataset/data_summary.h"

#include <algorithm>
#include <span>

#include "core/base/random.h"

namespace triarch {
namespace {

void AddEnd(std::span<const float> shares, size_t seat, EndCounts* counts) {
  ++counts->games;
  counts->share += static_cast<double>(shares[seat]);
  const float best = *std::max_element(shares.begin(), shares.end());
  if (shares[seat] < best) return;
  const bool is_alone = std::count(shares.begin(), shares.end(), best) == 1;
  ++(is_alone ? counts->wins : counts->shared);
}

uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size();
  for (const char c : text) hash = DeriveSeed(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

void DataSummary::Add(const ShardEntry& entry, const Shard& shard) {
  if (shards == 0) meta = shard.meta;
  specs.insert(shard.meta.spec);
  builds.insert(shard.meta.build);
  ++shards;
  bytes += entry.bytes;
  for (size_t game = 0; game < shard.games(); ++game) AddGame(shard, game);
  for (size_t sample = 0; sample < shard.samples(); ++sample) AddSample(shard, sample);
}

void DataSummary::AddGame(const Shard& shard, size_t game) {
  ++games;
  const auto first = static_cast<size_t>(shard.game_moves_offsets[game]);
  const auto last = static_cast<size_t>(shard.game_moves_offsets[game + 1]);
  uint64_t opening = HashOf(shard.game_start[game]);
  int64_t plies = 0;
  for (size_t i = first; i < last; ++i) {
    if (shard.game_moves[i] >= kSeatLeft) continue;
    if (plies++ < opening_plies) opening = DeriveSeed(opening, shard.game_moves[i]);
  }
  ++game_plies[plies];
  openings.insert(opening);
  const auto count = static_cast<size_t>(shard.meta.seats);
  const auto shares = std::span(shard.game_points).subspan(game * count, count);
  for (size_t seat = 0; seat < count; ++seat) {
    AddEnd(shares, seat, &seats[seat]);
    AddEnd(shares, seat, &bots[shard.meta.bots[shard.game_bots[game * count + seat]]]);
    if (shard.game_resign_ply[game * count + seat] < 0) continue;
    ++resignations;
    if (shares[seat] > 0) ++false_resignations;
    resigned_share += static_cast<double>(shares[seat]);
  }
}

void DataSummary::AddSample(const Shard& shard, size_t sample) {
  ++samples;
  const auto first = shard.policy.begin() + shard.legal_offsets[sample];
  const auto last = shard.policy.begin() + shard.legal_offsets[sample + 1];
  legal_moves += last - first;
  if (std::any_of(first, last, [](uint8_t share) { return share > 0; })) ++with_policy;
  if (!IsNan(shard.value[sample * static_cast<size_t>(shard.meta.seats)])) ++with_value;
  weight += static_cast<double>(shard.weight[sample]);
  ++sample_plies[shard.ply[sample]];
}

std::vector<Bar> Histogram(const std::map<int64_t, int64_t>& counts, size_t bars_max) {
  if (counts.empty()) return {};
  const int64_t low = counts.begin()->first;
  const int64_t high = counts.rbegin()->first;
  int64_t width = 1;
  for (size_t i = 0; static_cast<size_t>(high / width - low / width) >= bars_max; ++i) {
    width = i % 3 == 1 ? width / 2 * 5 : width * 2;  // 1 2 5 10 20 50
  }
  std::vector<Bar> bars;
  for (int64_t first = low / width * width; first <= high; first += width) {
    bars.push_back({.first = first, .last = first + width - 1, .count = 0});
  }
  for (const auto& [at, count] : counts) {
    bars[static_cast<size_t>(at / width - low / width)].count += count;
  }
  return bars;
}

}  // namespace triarch
