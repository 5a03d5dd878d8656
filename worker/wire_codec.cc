#include "worker/wire_codec.h"

#include <utility>

#include "core/base/status_macros.h"
#include "proto/convert.h"

namespace triarch {

GameCodec WireCodec() {
  return {.encode =
              [](const std::vector<GameRecord>& games) {
                v1::ReportRequest wire;
                for (const GameRecord& game : games) wire::ToWire(game, wire.add_games());
                return wire.SerializeAsString();
              },
          .decode = [](const std::string& bytes) -> absl::StatusOr<std::vector<GameRecord>> {
            v1::ReportRequest wire;
            if (!wire.ParseFromString(bytes)) return absl::DataLossError("no games");
            std::vector<GameRecord> games;
            for (const v1::Game& game : wire.games()) {
              ASSIGN_OR_RETURN(GameRecord record, wire::FromWire(game));
              games.push_back(std::move(record));
            }
            return games;
          }};
}

}  // namespace triarch
