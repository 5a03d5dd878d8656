// Fuzzes wire messages of every type: accepted messages and games survive a round trip.

#include <google/protobuf/stubs/logging.h>

#include <string>

#include "core/any_state.h"
#include "core/record/replay.h"
#include "core/record/tpgn.h"
#include "proto/convert.h"
#include "tests/fuzz/fuzz.h"

// Reported games are replayed by the rules of every game. A record that replays is valid and
// replays again.
namespace triarch {
namespace {

// Checks that a second round trip gives the same bytes; the first drops fields that FromWire
// ignores.
template <class Message>
void CheckRoundTrip(const Message& message) {
  const auto value = wire::FromWire(message);
  if (!value.ok()) {
    CHECK(!value.status().message().empty());
    return;
  }
  Message again;
  wire::ToWire(*value, &again);
  const auto value_again = wire::FromWire(again);
  CHECK(value_again.ok());
  Message third;
  wire::ToWire(*value_again, &third);
  CHECK(third.SerializeAsString() == again.SerializeAsString());
}

template <class... Messages>
void CheckAll(std::string_view text) {
  const auto check = [&]<class Message>(Message message) {
    if (message.ParseFromArray(text.data(), static_cast<int>(text.size()))) CheckRoundTrip(message);
  };
  (check(Messages()), ...);
}

void CheckReplay(const GameRecord& claimed) {
  for (const GameInfo* info : AllGames()) {
    GameSpec spec;
    spec.index = claimed.index;
    spec.game = info->name;
    const absl::StatusOr<GameRecord> record = ReplayRecord(spec, claimed);
    if (!record.ok()) continue;
    CHECK(record->is_finished);
    const absl::StatusOr<GameRecord> again = ReplayRecord(spec, *record);
    CHECK(again.ok());
    CHECK(WriteTpgn(*again) == WriteTpgn(*record));
  }
}

void CheckGames(std::string_view text) {
  v1::ReportRequest message;
  if (!message.ParseFromArray(text.data(), static_cast<int>(text.size()))) return;
  for (const v1::Game& game : message.games()) {
    const absl::StatusOr<GameRecord> claimed = wire::FromWire(game);
    if (claimed.ok()) CheckReplay(*claimed);
  }
}

void CheckRecordedGame(std::string_view text) {
  v1::RecordedGame message;
  if (!message.ParseFromArray(text.data(), static_cast<int>(text.size()))) return;
  const absl::StatusOr<wire::RecordedGame> game = wire::FromWire(message);
  if (!game.ok()) return;
  v1::RecordedGame again;
  wire::ToWire(game->summary, game->seats, game->tpgn, &again);
  const absl::StatusOr<wire::RecordedGame> game_again = wire::FromWire(again);
  CHECK(game_again.ok());
  CHECK(game_again->summary == game->summary);
  CHECK(game_again->tpgn == game->tpgn);
}

}  // namespace
}  // namespace triarch

FUZZ_TEXT(text) {
  static const google::protobuf::LogSilencer silencer;  // it would log every invalid UTF-8 string
  namespace v1 = triarch::v1;
  triarch::CheckAll<v1::RegisterRequest, v1::RegisterResponse, v1::LeaseRequest, v1::LeaseResponse,
                    v1::HeartbeatRequest, v1::HeartbeatResponse, v1::ReportRequest,
                    v1::ReportResponse, v1::ReleaseRequest, v1::FetchBundleRequest,
                    v1::FetchBundleResponse, v1::Game>(text);
  triarch::CheckGames(text);
  triarch::CheckRecordedGame(text);
}
