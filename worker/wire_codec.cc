#include "worker/wire_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/status_macros.h"
#include "proto/convert.h"
#include "triarch/v1/spill.pb.h"

namespace triarch {

namespace {

void WriteSamples(const GameSamples& samples, v1::GameSamples* wire) {
  wire->set_count(samples.count);
  wire->set_rows(samples.rows);
  wire->mutable_moves()->Add(samples.moves.begin(), samples.moves.end());
  for (const std::optional<int32_t>& ply : samples.resignations) {
    wire->add_resignations(ply.value_or(-1));
  }
}

GameSamples ReadSamples(const v1::GameSamples& wire) {
  GameSamples samples;
  samples.count = wire.count();
  samples.rows = wire.rows();
  for (const uint32_t move : wire.moves()) samples.moves.push_back(static_cast<uint16_t>(move));
  for (int i = 0; i < std::min(wire.resignations_size(), static_cast<int>(kSeatsMax)); ++i) {
    if (wire.resignations(i) < 0) continue;
    samples.resignations[SeatAt(static_cast<size_t>(i))] = wire.resignations(i);
  }
  return samples;
}

std::string Encode(const std::vector<GameRecord>& games) {
  v1::SpilledGames wire;
  for (const GameRecord& game : games) {
    wire::ToWire(game, wire.add_games());
    if (game.samples) WriteSamples(*game.samples, wire.add_samples());
  }
  return wire.SerializeAsString();
}

absl::StatusOr<std::vector<GameRecord>> Decode(const std::string& bytes) {
  v1::SpilledGames wire;
  if (!wire.ParseFromString(bytes)) return absl::DataLossError("no games");
  const bool has_samples = wire.samples_size() > 0;
  if (has_samples && wire.samples_size() != wire.games_size()) {
    return absl::DataLossError("games lack their samples");
  }
  std::vector<GameRecord> games;
  for (int i = 0; i < wire.games_size(); ++i) {
    ASSIGN_OR_RETURN(GameRecord record, wire::FromWire(wire.games(i)));
    if (has_samples) record.samples = ReadSamples(wire.samples(i));
    games.push_back(std::move(record));
  }
  return games;
}

}  // namespace

GameCodec WireCodec() { return {.encode = Encode, .decode = Decode}; }

}  // namespace triarch
