#include "proto/convert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/shard_entry.h"
#include "proto/field_checks.h"

namespace triarch::wire {
namespace {

constexpr int64_t kShardBytesMax = int64_t{1} << 40;  // larger than any shard
constexpr int64_t kNumberMax = std::numeric_limits<int64_t>::max();

void WriteWorker(const WorkerId& worker, v1::WorkerId* wire) {
  wire->set_name(worker.name);
  wire->set_instance(worker.instance);
}

absl::StatusOr<WorkerId> ReadWorker(const v1::WorkerId& wire) {
  RETURN_IF_ERROR(CheckName("worker.name", wire.name()));
  return WorkerId{.name = wire.name(), .instance = wire.instance()};
}

// Checks that no token is 0 and none appears twice.
template <class Tokens>
absl::StatusOr<std::vector<uint64_t>> ReadTokens(std::string_view field, const Tokens& wire) {
  RETURN_IF_ERROR(CheckCount(field, wire.size(), kLeasesMax));
  const std::vector<uint64_t> tokens(wire.begin(), wire.end());
  absl::flat_hash_set<uint64_t> seen;
  for (const uint64_t token : tokens) {
    RETURN_IF_ERROR(CheckToken(field, token));
    if (!seen.insert(token).second) {
      return FieldError(field, "token " + std::to_string(token) + " appears twice");
    }
  }
  return tokens;
}

absl::StatusOr<HostedBot> ReadBot(const v1::HostedBot& wire) {
  RETURN_IF_ERROR(CheckName("type", wire.type()));
  RETURN_IF_ERROR(CheckNameOrEmpty("digest", wire.digest()));
  RETURN_IF_ERROR(CheckRange("abi", wire.abi(), 0, kNumberMax));
  return HostedBot{.type = wire.type(), .digest = wire.digest(), .abi = wire.abi()};
}

absl::Status ReadBots(const v1::RegisterRequest& wire, WorkerInfo* worker) {
  RETURN_IF_ERROR(CheckCount("bots", wire.bots_size(), kHostedBotsMax));
  absl::flat_hash_set<std::string> types;
  for (int i = 0; i < wire.bots_size(); ++i) {
    absl::StatusOr<HostedBot> bot = ReadBot(wire.bots(i));
    if (!bot.ok()) return ErrorWithin("bots", i, bot.status());
    if (!types.insert(bot->type).second) {
      return FieldError("bots", Quote(bot->type) + " appears twice");
    }
    worker->bots.push_back(*std::move(bot));
  }
  return absl::OkStatus();
}

void WriteLease(const Lease& lease, v1::LeaseGrant* wire) {
  wire->set_tournament(lease.tournament);
  wire->set_first(lease.games.first);
  wire->set_last(lease.games.last);
  wire->set_token(lease.token);
  wire->set_ttl_ms(lease.ttl.count());
}

absl::StatusOr<Lease> ReadLease(const v1::LeaseGrant& wire) {
  Lease lease{.tournament = wire.tournament(),
              .games = {.first = wire.first(), .last = wire.last()},
              .token = wire.token()};
  RETURN_IF_ERROR(CheckRange("lease.tournament", lease.tournament, 1, kNumberMax));
  RETURN_IF_ERROR(CheckRange("lease.first", lease.games.first, 0, kNumberMax - 1));
  RETURN_IF_ERROR(CheckRange("lease.last", lease.games.last, lease.games.first + 1, kNumberMax));
  RETURN_IF_ERROR(CheckToken("lease.token", lease.token));
  RETURN_IF_ERROR(CheckRange("lease.ttl_ms", wire.ttl_ms(), 1, kDurationMax.count()));
  lease.ttl = std::chrono::milliseconds(wire.ttl_ms());
  return lease;
}

absl::StatusOr<LeaseProgress> ReadProgress(const v1::LeaseProgress& wire) {
  RETURN_IF_ERROR(CheckToken("token", wire.token()));
  RETURN_IF_ERROR(CheckRange("games", wire.games(), 0, kNumberMax));
  RETURN_IF_ERROR(CheckRange("plies", wire.plies(), 0, kNumberMax));
  return LeaseProgress{.token = wire.token(), .games = wire.games(), .plies = wire.plies()};
}

absl::Status ReadProgresses(const v1::HeartbeatRequest& wire, HeartbeatRequest* heartbeat) {
  RETURN_IF_ERROR(CheckCount("leases", wire.leases_size(), kLeasesMax));
  absl::flat_hash_set<uint64_t> seen;
  for (int i = 0; i < wire.leases_size(); ++i) {
    const absl::StatusOr<LeaseProgress> progress = ReadProgress(wire.leases(i));
    if (!progress.ok()) return ErrorWithin("leases", i, progress.status());
    if (!seen.insert(progress->token).second) {
      return FieldError("leases", "token " + std::to_string(progress->token) + " appears twice");
    }
    heartbeat->leases.push_back(*progress);
  }
  return absl::OkStatus();
}

v1::ReportResponse::Outcome OutcomeToWire(ReportOutcome outcome) {
  switch (outcome) {
    case ReportOutcome::kRecorded:
      return v1::ReportResponse::OUTCOME_RECORDED;
    case ReportOutcome::kStale:
      return v1::ReportResponse::OUTCOME_STALE;
    case ReportOutcome::kRejected:
      return v1::ReportResponse::OUTCOME_REJECTED;
    case ReportOutcome::kRetry:
      return v1::ReportResponse::OUTCOME_RETRY;
  }
  return v1::ReportResponse::OUTCOME_UNSPECIFIED;
}

absl::StatusOr<ReportOutcome> OutcomeFromWire(int outcome) {
  switch (outcome) {
    case v1::ReportResponse::OUTCOME_RECORDED:
      return ReportOutcome::kRecorded;
    case v1::ReportResponse::OUTCOME_STALE:
      return ReportOutcome::kStale;
    case v1::ReportResponse::OUTCOME_REJECTED:
      return ReportOutcome::kRejected;
    case v1::ReportResponse::OUTCOME_RETRY:
      return ReportOutcome::kRetry;
    default:
      return FieldError("outcome", std::to_string(outcome) + " is not a known value");
  }
}

// Cuts between two characters, because the wire rejects broken UTF-8.
std::string_view CutText(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const auto continues = [&](size_t i) { return (static_cast<unsigned char>(text[i]) >> 6) == 2; };
  while (bytes_max > 0 && continues(bytes_max)) --bytes_max;
  return text.substr(0, bytes_max);
}

}  // namespace

void ToWire(const WorkerInfo& worker, v1::RegisterRequest* wire) {
  wire->set_protocol(kProtocol);
  WriteWorker(worker.id, wire->mutable_worker());
  wire->set_slots(worker.slots);
  for (const std::string& game : worker.games) wire->add_games(game);
  for (const HostedBot& bot : worker.bots) {
    v1::HostedBot* hosted = wire->add_bots();
    hosted->set_type(bot.type);
    hosted->set_digest(bot.digest);
    hosted->set_abi(bot.abi);
  }
  wire->set_build(worker.build);
}

absl::StatusOr<WorkerInfo> FromWire(const v1::RegisterRequest& wire) {
  if (wire.protocol() != kProtocol) {
    return absl::FailedPreconditionError(
        "protocol: the worker speaks version " + std::to_string(wire.protocol()) +
        ", the coordinator version " + std::to_string(kProtocol) + "; use the same release");
  }
  WorkerInfo worker;
  ASSIGN_OR_RETURN(worker.id, ReadWorker(wire.worker()));
  RETURN_IF_ERROR(CheckRange("slots", wire.slots(), 1, kSlotsMax));
  worker.slots = wire.slots();
  RETURN_IF_ERROR(CheckCount("games", wire.games_size(), kGameNamesMax));
  for (const std::string& game : wire.games()) RETURN_IF_ERROR(CheckName("games", game));
  worker.games.assign(wire.games().begin(), wire.games().end());
  RETURN_IF_ERROR(ReadBots(wire, &worker));
  RETURN_IF_ERROR(CheckNameOrEmpty("build", wire.build()));
  worker.build = wire.build();
  return worker;
}

void ToWire(const RegisterReply& reply, v1::RegisterResponse* wire) {
  wire->set_heartbeat_ms(reply.heartbeat.count());
}

absl::StatusOr<RegisterReply> FromWire(const v1::RegisterResponse& wire) {
  ASSIGN_OR_RETURN(const auto heartbeat, ReadDuration("heartbeat_ms", wire.heartbeat_ms()));
  return RegisterReply{.heartbeat = heartbeat};
}

void ToWire(const LeaseRequest& request, v1::LeaseRequest* wire) {
  WriteWorker(request.worker, wire->mutable_worker());
  wire->mutable_known_tournaments()->Add(request.known_tournaments.begin(),
                                         request.known_tournaments.end());
}

absl::StatusOr<LeaseRequest> FromWire(const v1::LeaseRequest& wire) {
  LeaseRequest request;
  ASSIGN_OR_RETURN(request.worker, ReadWorker(wire.worker()));
  RETURN_IF_ERROR(CheckCount("known_tournaments", wire.known_tournaments_size(), kTournamentsMax));
  for (const int64_t tournament : wire.known_tournaments()) {
    RETURN_IF_ERROR(CheckRange("known_tournaments", tournament, 1, kNumberMax));
  }
  request.known_tournaments.assign(wire.known_tournaments().begin(),
                                   wire.known_tournaments().end());
  return request;
}

void ToWire(const LeaseResponse& response, v1::LeaseResponse* wire) {
  if (response.reply.lease) {
    WriteLease(*response.reply.lease, wire->mutable_lease());
    wire->mutable_lease()->set_spec_json(response.spec_json);
    wire->mutable_lease()->set_matches_json(response.matches_json);
  }
  wire->set_retry_ms(response.reply.retry.count());
}

absl::StatusOr<LeaseResponse> FromWire(const v1::LeaseResponse& wire) {
  LeaseResponse response;
  if (wire.has_lease()) {
    ASSIGN_OR_RETURN(response.reply.lease, ReadLease(wire.lease()));
    response.spec_json = wire.lease().spec_json();
    RETURN_IF_ERROR(CheckCount("length of lease.spec_json",
                               static_cast<int64_t>(response.spec_json.size()), kSpecBytesMax));
    response.matches_json = wire.lease().matches_json();
    RETURN_IF_ERROR(CheckCount("length of lease.matches_json",
                               static_cast<int64_t>(response.matches_json.size()), kSpecBytesMax));
  }
  ASSIGN_OR_RETURN(response.reply.retry, ReadDuration("retry_ms", wire.retry_ms()));
  return response;
}

void ToWire(const HeartbeatRequest& heartbeat, v1::HeartbeatRequest* wire) {
  WriteWorker(heartbeat.worker, wire->mutable_worker());
  wire->set_busy_slots(heartbeat.busy_slots);
  wire->set_games_held(heartbeat.games_held);
  wire->set_cpu_seconds(heartbeat.cpu_seconds);
  for (const LeaseProgress& progress : heartbeat.leases) {
    v1::LeaseProgress* lease = wire->add_leases();
    lease->set_token(progress.token);
    lease->set_games(progress.games);
    lease->set_plies(progress.plies);
  }
  for (const LiveReport& report : heartbeat.live) {
    if (static_cast<size_t>(wire->live_size()) == kLiveGamesMax) break;
    ToWire(report, wire->add_live());
    if (wire->live().rbegin()->ByteSizeLong() > kLiveBytesMax) wire->mutable_live()->RemoveLast();
  }
}

absl::StatusOr<HeartbeatRequest> FromWire(const v1::HeartbeatRequest& wire) {
  HeartbeatRequest heartbeat;
  ASSIGN_OR_RETURN(heartbeat.worker, ReadWorker(wire.worker()));
  RETURN_IF_ERROR(CheckRange("busy_slots", wire.busy_slots(), 0, kSlotsMax));
  heartbeat.busy_slots = wire.busy_slots();
  RETURN_IF_ERROR(CheckRange("games_held", wire.games_held(), 0, kNumberMax));
  heartbeat.games_held = wire.games_held();
  if (!std::isfinite(wire.cpu_seconds()) || wire.cpu_seconds() < 0) {
    return FieldError("cpu_seconds", "it is not a duration");
  }
  heartbeat.cpu_seconds = wire.cpu_seconds();
  RETURN_IF_ERROR(ReadProgresses(wire, &heartbeat));
  // Games in progress are only for viewers; a wrong one must not cost the worker its leases.
  for (const v1::LiveGame& live : wire.live()) {
    if (heartbeat.live.size() == kLiveGamesMax) break;
    if (live.ByteSizeLong() > kLiveBytesMax) continue;
    absl::StatusOr<LiveReport> report = FromWire(live);
    if (report.ok()) heartbeat.live.push_back(*std::move(report));
  }
  return heartbeat;
}

void ToWire(const HeartbeatReply& reply, v1::HeartbeatResponse* wire) {
  wire->mutable_cancelled()->Add(reply.cancelled.begin(), reply.cancelled.end());
  wire->set_next_ms(reply.next.count());
  wire->set_slow_ms(reply.slow.count());
  wire->set_watched(reply.is_watched);
}

absl::StatusOr<HeartbeatReply> FromWire(const v1::HeartbeatResponse& wire) {
  HeartbeatReply reply;
  ASSIGN_OR_RETURN(reply.cancelled, ReadTokens("cancelled", wire.cancelled()));
  ASSIGN_OR_RETURN(reply.next, ReadDuration("next_ms", wire.next_ms()));
  ASSIGN_OR_RETURN(reply.slow, ReadDuration("slow_ms", wire.slow_ms()));
  reply.is_watched = wire.watched();
  return reply;
}

namespace {

// Omits values that the coordinator already knows, such as the games.
void WriteShard(const ShardEntry& shard, v1::Shard* wire) {
  wire->set_shard(shard.shard);
  wire->set_sha256(shard.sha256);
  wire->set_samples(shard.samples);
  wire->set_bytes(shard.bytes);
  wire->set_format(shard.format);
  wire->set_build(shard.build);
}

absl::StatusOr<ShardEntry> ReadShard(const v1::Shard& wire) {
  ShardEntry shard;
  RETURN_IF_ERROR(CheckName("shard.shard", wire.shard()));
  if (!IsShardName(wire.shard())) return FieldError("shard.shard", "it is not a shard name");
  RETURN_IF_ERROR(CheckName("shard.sha256", wire.sha256()));
  if (!IsSha256(wire.sha256())) return FieldError("shard.sha256", "it is not a SHA-256");
  RETURN_IF_ERROR(CheckCount("shard.samples", wire.samples(), kPliesPerReportMax));
  RETURN_IF_ERROR(CheckCount("shard.bytes", wire.bytes(), kShardBytesMax));
  RETURN_IF_ERROR(CheckCount("shard.format", wire.format(), kNumberMax));
  shard.shard = wire.shard();
  shard.sha256 = wire.sha256();
  shard.samples = wire.samples();
  shard.bytes = wire.bytes();
  shard.format = wire.format();
  RETURN_IF_ERROR(CheckNameOrEmpty("shard.build", wire.build()));
  shard.build = wire.build();
  return shard;
}

}  // namespace

void ToWire(const Report& report, v1::ReportRequest* wire) {
  WriteWorker(report.worker, wire->mutable_worker());
  wire->set_token(report.token);
  wire->mutable_games()->Reserve(static_cast<int>(report.games.size()));
  for (const GameRecord& game : report.games) ToWire(game, wire->add_games());
  wire->set_is_last(report.is_last);
  if (report.shard) WriteShard(*report.shard, wire->mutable_shard());
}

absl::StatusOr<Report> FromWire(const v1::ReportRequest& wire) {
  Report report;
  report.token = wire.token();
  report.is_last = wire.is_last();
  ASSIGN_OR_RETURN(report.worker, ReadWorker(wire.worker()));
  RETURN_IF_ERROR(CheckToken("token", report.token));
  RETURN_IF_ERROR(CheckCount("games", wire.games_size(), kGamesPerReportMax));
  report.games.reserve(static_cast<size_t>(wire.games_size()));
  absl::flat_hash_set<int64_t> indices;
  int64_t plies = 0;
  for (int i = 0; i < wire.games_size(); ++i) {
    absl::StatusOr<GameRecord> game = FromWire(wire.games(i));
    if (!game.ok()) return ErrorWithin("games", i, game.status());
    if (!indices.insert(game->index).second) {
      return FieldError("games", "game " + std::to_string(game->index) + " appears twice");
    }
    plies += game->plies;
    RETURN_IF_ERROR(CheckCount("plies of all games", plies, kPliesPerReportMax));
    report.games.push_back(*std::move(game));
  }
  if (!wire.has_shard()) return report;
  ASSIGN_OR_RETURN(report.shard, ReadShard(wire.shard()));
  if (report.games.empty()) return FieldError("shard", "it comes without games");
  if (report.shard->samples > plies) return FieldError("shard.samples", "more samples than plies");
  report.shard->games = wire.games_size();
  report.shard->first = std::numeric_limits<int64_t>::max();
  for (const GameRecord& game : report.games) {
    report.shard->first = std::min(report.shard->first, game.index);
    report.shard->last = std::max(report.shard->last, game.index);
  }
  return report;
}

void ToWire(const ReportReply& reply, v1::ReportResponse* wire) {
  wire->set_outcome(OutcomeToWire(reply.outcome));
  wire->set_why(std::string(CutText(reply.why, kWhyBytesMax)));
  wire->set_is_cancelled(reply.is_cancelled);
  wire->set_retry_ms(reply.retry.count());
}

absl::StatusOr<ReportReply> FromWire(const v1::ReportResponse& wire) {
  ReportReply reply;
  reply.why = wire.why();
  reply.is_cancelled = wire.is_cancelled();
  ASSIGN_OR_RETURN(reply.outcome, OutcomeFromWire(wire.outcome()));
  RETURN_IF_ERROR(
      CheckCount("length of why", static_cast<int64_t>(reply.why.size()), kWhyBytesMax));
  ASSIGN_OR_RETURN(reply.retry, ReadDuration("retry_ms", wire.retry_ms()));
  return reply;
}

void ToWire(const ReleaseRequest& request, v1::ReleaseRequest* wire) {
  WriteWorker(request.worker, wire->mutable_worker());
  wire->mutable_tokens()->Add(request.tokens.begin(), request.tokens.end());
  wire->set_leaves(request.leaves);
  wire->set_why(std::string(CutText(request.why, kWhyBytesMax)));
}

absl::StatusOr<ReleaseRequest> FromWire(const v1::ReleaseRequest& wire) {
  ReleaseRequest request;
  request.leaves = wire.leaves();
  ASSIGN_OR_RETURN(request.worker, ReadWorker(wire.worker()));
  ASSIGN_OR_RETURN(request.tokens, ReadTokens("tokens", wire.tokens()));
  request.why = wire.why();
  RETURN_IF_ERROR(
      CheckCount("length of why", static_cast<int64_t>(request.why.size()), kWhyBytesMax));
  return request;
}

void ToWire(const FetchBundleRequest& request, v1::FetchBundleRequest* wire) {
  WriteWorker(request.worker, wire->mutable_worker());
  wire->set_digest(request.digest);
  wire->set_offset(request.offset);
}

absl::StatusOr<FetchBundleRequest> FromWire(const v1::FetchBundleRequest& wire) {
  FetchBundleRequest request;
  ASSIGN_OR_RETURN(request.worker, ReadWorker(wire.worker()));
  RETURN_IF_ERROR(CheckName("digest", wire.digest()));
  RETURN_IF_ERROR(CheckRange("offset", wire.offset(), 0, kBundleSizeMax));
  request.digest = wire.digest();
  request.offset = wire.offset();
  return request;
}

void ToWire(const BundlePart& part, v1::FetchBundleResponse* wire) {
  wire->set_size(part.size);
  wire->set_part(part.bytes);
}

absl::StatusOr<BundlePart> FromWire(const v1::FetchBundleResponse& wire) {
  RETURN_IF_ERROR(CheckRange("size", wire.size(), 1, kBundleSizeMax));
  RETURN_IF_ERROR(CheckRange("length of part", static_cast<int64_t>(wire.part().size()), 1,
                             std::min(wire.size(), kBundlePartMax)));
  return BundlePart{.size = wire.size(), .bytes = wire.part()};
}

}  // namespace triarch::wire
