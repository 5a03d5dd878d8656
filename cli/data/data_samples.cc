#include "cli/data/data_samples.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/game/picture.h"
#include "selfplay/shard/policy.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMovesShown = 10;

double Rounded(float number) { return std::round(static_cast<double>(number) * 1e6) / 1e6; }

absl::Status InGame(const Shard& shard, size_t game, const absl::Status& status) {
  return absl::InvalidArgumentError(
      absl::StrFormat("game %d: %s", shard.game_index[game], std::string(status.message())));
}

struct LegalMove {
  std::string text;
  uint8_t share = 0;  // of kPolicySum
};

// Returns the legal moves of a sample in the order of the shard. `replay` must be at its position.
absl::StatusOr<std::vector<LegalMove>> LegalMovesOf(const Shard& shard, size_t sample,
                                                    const GameReplay& replay) {
  std::vector<LegalMove> moves;
  for (size_t i = shard.legal_offsets[sample]; i < shard.legal_offsets[sample + 1]; ++i) {
    const size_t number = replay.NumberOf(shard.legal[i]);
    if (number == replay.moves().size()) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "sample %d: legal: %d is not the index of a legal move", sample, shard.legal[i]));
    }
    moves.push_back({replay.state().MoveToString(replay.moves(), number), shard.policy[i]});
  }
  return moves;
}

bool HasPolicy(const std::vector<LegalMove>& moves) {
  return std::any_of(moves.begin(), moves.end(), [](const LegalMove& move) { return move.share; });
}

std::string PlayedMove(const Shard& shard, size_t sample, const GameReplay& replay) {
  return replay.state().MoveToString(replay.moves(), replay.NumberOf(shard.played[sample]));
}

std::string Field(const std::string& name, const std::string& value) {
  return absl::StrFormat("%-10s  %s\n", name, value);
}

std::string MovesText(std::vector<LegalMove> moves, const std::string& played) {
  const bool has_policy = HasPolicy(moves);
  std::stable_sort(moves.begin(), moves.end(),
                   [](const LegalMove& a, const LegalMove& b) { return a.share > b.share; });
  std::string text =
      Field("legal", Counted(moves.size(), "move") + (has_policy ? "" : ", without a policy"));
  size_t width = 0;
  for (const LegalMove& move : moves) width = std::max(width, move.text.size());
  for (size_t i = 0; i < std::min(moves.size(), kMovesShown); ++i) {
    std::string line = absl::StrFormat("  %-*s", static_cast<int>(width), moves[i].text);
    if (has_policy) {
      line +=
          absl::StrFormat("  %5.1f%%", 100.0 * moves[i].share / static_cast<double>(kPolicySum));
    }
    if (moves[i].text == played) line += "  played";
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (moves.size() > kMovesShown) {
    text += absl::StrFormat("  and %d more\n", moves.size() - kMovesShown);
  }
  return text + Field("played", played);
}

std::string SharesText(const GameInfo& info, const std::function<float(size_t)>& share) {
  std::string text;
  for (size_t seat = 0; seat < info.seats; ++seat) {
    text += absl::StrFormat("%s%s %.3f", seat == 0 ? "" : ", ", std::string(info.seat_names[seat]),
                            share(seat));
  }
  return text;
}

std::string NumbersText(const Shard& shard, size_t sample, const GameInfo& info) {
  const size_t at = sample * info.seats;
  std::string text =
      Field("value", IsNan(shard.value[at]) ? "none" : SharesText(info, [&](size_t seat) {
              return ToFloat(shard.value[at + seat]);
            }));
  text += Field("points", SharesText(info, [&](size_t seat) { return shard.points[at + seat]; }));
  text += Field("plies left", std::to_string(shard.plies_left[sample]));
  return text + Field("weight", absl::StrFormat("%g", shard.weight[sample]));
}

absl::StatusOr<std::string> SampleLine(const Shard& shard, size_t sample,
                                       const GameReplay& replay) {
  ASSIGN_OR_RETURN(const std::vector<LegalMove> moves, LegalMovesOf(shard, sample, replay));
  const auto seats = static_cast<size_t>(shard.meta.seats);
  Json json = {{"game", shard.index[sample]}, {"ply", shard.ply[sample]},
               {"seat", shard.seat[sample]},  {"position", replay.state().ToString()},
               {"legal", Json::array()},      {"policy", nullptr}};
  for (const LegalMove& move : moves) json["legal"].push_back(move.text);
  if (HasPolicy(moves)) {
    json["policy"] = Json::array();
    for (const LegalMove& move : moves) {
      json["policy"].push_back(Rounded(static_cast<float>(move.share) / kPolicySum));
    }
  }
  json["played"] = PlayedMove(shard, sample, replay);
  json["value"] = nullptr;
  for (size_t i = sample * seats; i < (sample + 1) * seats; ++i) {
    json["points"].push_back(Rounded(shard.points[i]));
    if (!IsNan(shard.value[i])) json["value"].push_back(Rounded(ToFloat(shard.value[i])));
  }
  json["plies_left"] = shard.plies_left[sample];
  json["weight"] = Rounded(shard.weight[sample]);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

absl::StatusOr<std::string> SampleText(const Shard& shard, size_t sample, bool is_colored) {
  const size_t game = shard.game[sample];
  absl::StatusOr<GameReplay> replay = GameReplay::Begin(shard, game);
  if (!replay.ok()) return InGame(shard, game, replay.status());
  const absl::Status status = replay->StepTo(shard.ply[sample]);
  if (!status.ok()) return InGame(shard, game, status);
  ASSIGN_OR_RETURN(std::vector<LegalMove> moves, LegalMovesOf(shard, sample, *replay));
  const GameInfo& info = replay->state().info();
  const size_t seat = shard.seat[sample];
  const uint8_t bot = shard.game_bots[game * info.seats + seat];
  std::string text = Field("game", std::to_string(shard.index[sample]));
  text += Field("ply", std::to_string(shard.ply[sample]));
  text += Field("seat", absl::StrFormat("%d, %s, played by %s", seat,
                                        std::string(info.seat_names[seat]), shard.meta.bots[bot]));
  ASSIGN_OR_RETURN(const std::string board,
                   replay->state().ToBoard({.is_colored = is_colored, .names = ""}));
  // The drawing ends with the position as text.
  text += "\n" + board + "\n" + MovesText(std::move(moves), PlayedMove(shard, sample, *replay));
  return text + NumbersText(shard, sample, info);
}

absl::Status ForEachSampleLine(const Shard& shard,
                               const std::function<absl::Status(const std::string&)>& f) {
  const std::vector<SampleRange> ranges = SamplesByGame(shard);
  for (size_t game = 0; game < shard.games(); ++game) {
    if (ranges[game].first == ranges[game].last) continue;
    absl::StatusOr<GameReplay> replay = GameReplay::Begin(shard, game);
    if (!replay.ok()) return InGame(shard, game, replay.status());
    for (size_t sample = ranges[game].first; sample < ranges[game].last; ++sample) {
      const absl::Status status = replay->StepTo(shard.ply[sample]);
      if (!status.ok()) return InGame(shard, game, status);
      ASSIGN_OR_RETURN(const std::string line, SampleLine(shard, sample, *replay));
      RETURN_IF_ERROR(f(line));
    }
  }
  return absl::OkStatus();
}

}  // namespace triarch
