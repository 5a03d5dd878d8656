// Converts between wire messages and our values, and validates everything from the network.

#ifndef TRIARCH_PROTO_CONVERT_H_
#define TRIARCH_PROTO_CONVERT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/lease.h"
#include "triarch/v1/game.pb.h"
#include "triarch/v1/tournament.pb.h"
#include "triarch/v1/worker.pb.h"

// FromWire checks lengths, counts, ranges, words and seats, but not whether the content is true.
// Its errors are InvalidArgument and name the field: "games[3].moves: …". ToWire expects an empty
// message.
namespace triarch::wire {

// The largest message that either side accepts. A report of 100 000 plies takes about 1 MB.
inline constexpr int kMessageBytesMax = 64 << 20;

// Limits that FromWire enforces.
inline constexpr size_t kNameBytesMax = 200;
inline constexpr size_t kWhyBytesMax = 2'000;  // ToWire truncates longer texts
inline constexpr size_t kSpecBytesMax = 8 << 20;
inline constexpr int64_t kBundleSizeMax = 48 << 20;  // size of a bundle's tar
// The largest part of a bundle, small enough for a slow link within the call's deadline.
inline constexpr int64_t kBundlePartMax = 256 << 10;
inline constexpr int64_t kSlotsMax = 100'000;
inline constexpr int kGameNamesMax = 100;
inline constexpr int kHostedBotsMax = 10'000;
inline constexpr int kTournamentsMax = 100'000;
inline constexpr int kLeasesMax = 10'000;
inline constexpr std::chrono::milliseconds kDurationMax = std::chrono::hours(24 * 366);
inline constexpr int kGamesPerReportMax = 100'000;
inline constexpr int64_t kPliesPerGameMax = 1'000'000;
// Bounds memory: a move takes about 100 bytes in memory and four on the wire.
inline constexpr int64_t kPliesPerReportMax = 4'000'000;

// ---- Requests from workers and their responses.

// FromWire fails with FailedPrecondition for another version of the protocol.
void ToWire(const WorkerInfo& worker, v1::RegisterRequest* wire);
absl::StatusOr<WorkerInfo> FromWire(const v1::RegisterRequest& wire);

struct RegisterReply {
  std::chrono::milliseconds heartbeat{0};  // interval between heartbeats
};
void ToWire(const RegisterReply& reply, v1::RegisterResponse* wire);
absl::StatusOr<RegisterReply> FromWire(const v1::RegisterResponse& wire);

struct LeaseRequest {
  WorkerId worker;
  std::vector<int64_t> known_tournaments;  // whose spec the worker has
};
void ToWire(const LeaseRequest& request, v1::LeaseRequest* wire);
absl::StatusOr<LeaseRequest> FromWire(const v1::LeaseRequest& wire);

struct LeaseResponse {
  LeaseReply reply;
  std::string spec_json;  // empty if the worker knows the tournament
  std::string matches_json;
};
void ToWire(const LeaseResponse& response, v1::LeaseResponse* wire);
absl::StatusOr<LeaseResponse> FromWire(const v1::LeaseResponse& wire);

void ToWire(const HeartbeatRequest& heartbeat, v1::HeartbeatRequest* wire);
absl::StatusOr<HeartbeatRequest> FromWire(const v1::HeartbeatRequest& wire);
void ToWire(const HeartbeatReply& reply, v1::HeartbeatResponse* wire);
absl::StatusOr<HeartbeatReply> FromWire(const v1::HeartbeatResponse& wire);

void ToWire(const Report& report, v1::ReportRequest* wire);
absl::StatusOr<Report> FromWire(const v1::ReportRequest& wire);
void ToWire(const ReportReply& reply, v1::ReportResponse* wire);
absl::StatusOr<ReportReply> FromWire(const v1::ReportResponse& wire);

struct ReleaseRequest {
  WorkerId worker;
  std::vector<uint64_t> tokens;
  std::string why = {};  // why the leases cannot be played
  bool leaves = false;   // the worker is leaving, so all its leases end
};
void ToWire(const ReleaseRequest& request, v1::ReleaseRequest* wire);
absl::StatusOr<ReleaseRequest> FromWire(const v1::ReleaseRequest& wire);

struct FetchBundleRequest {
  WorkerId worker;
  std::string digest;
  int64_t offset = 0;
};
void ToWire(const FetchBundleRequest& request, v1::FetchBundleRequest* wire);
absl::StatusOr<FetchBundleRequest> FromWire(const v1::FetchBundleRequest& wire);
void ToWire(const BundlePart& part, v1::FetchBundleResponse* wire);
absl::StatusOr<BundlePart> FromWire(const v1::FetchBundleResponse& wire);

// ---- Games.

// Requires: the game is finished. The wire omits values that follow from the tournament's spec;
// those fields of the result are as in an empty record. If the sender omitted the seats, every move
// belongs to the first seat. ReplayRecord fills in all of these.
void ToWire(const GameFault& fault, v1::GameFault* wire);
// Makes the report's texts printable. `seats` is the number of seats of its game.
absl::StatusOr<GameFault> FromWire(const v1::GameFault& wire, size_t seats);
void ToWire(const LiveReport& report, v1::LiveGame* wire);
absl::StatusOr<LiveReport> FromWire(const v1::LiveGame& wire);

void ToWire(const GameRecord& record, v1::Game* wire);
absl::StatusOr<GameRecord> FromWire(const v1::Game& wire);

struct RecordedGame {
  GameSummary summary;
  size_t seats = 0;  // 2 or 3
  std::string tpgn;  // empty if not requested
};
void ToWire(const GameSummary& summary, size_t seats, std::string_view tpgn,
            v1::RecordedGame* wire);
absl::StatusOr<RecordedGame> FromWire(const v1::RecordedGame& wire);

}  // namespace triarch::wire

#endif  // TRIARCH_PROTO_CONVERT_H_
