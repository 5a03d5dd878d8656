#include "arena/client/arena_client.h"

#include <algorithm>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr int64_t kWaitSeconds = 25;  // in a long poll; proxies often cut off at 60
constexpr milliseconds kAnswerTime{20'000};
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kPauseMax{5'000};
constexpr milliseconds kLookInterval{50};
constexpr milliseconds kLeavePatience{5'000};
constexpr size_t kAnswerBytesMax = 64 << 20;
constexpr size_t kDetailBytesMax = 500;

constexpr std::string_view kApi = "/api/v2";

bool IsPassingStatus(int status) { return status == 429 || (status >= 502 && status <= 504); }

absl::StatusCode CodeOf(int status) {
  switch (status) {
    case 400:
    case 422:
      return absl::StatusCode::kInvalidArgument;
    case 401:
      return absl::StatusCode::kUnauthenticated;
    case 403:
      return absl::StatusCode::kFailedPrecondition;
    case 404:
      return absl::StatusCode::kNotFound;
    case 409:
      return absl::StatusCode::kAborted;
    case 410:
      return absl::StatusCode::kPermissionDenied;
    default:
      return IsPassingStatus(status) ? absl::StatusCode::kUnavailable : absl::StatusCode::kUnknown;
  }
}

// Returns the error of a refusal.
absl::Status RefusalOf(const std::string& url, const HttpResponse& response, const json& body) {
  if (!body.is_object() || !body.contains("detail")) {
    const std::string what =
        absl::StrFormat("%s does not answer like an arena (HTTP %d)", url, response.status);
    // A proxy in front of an arena may answer in its place.
    if (IsPassingStatus(response.status)) return absl::UnavailableError(what);
    return absl::DataLossError(what);
  }
  const json& detail = body["detail"];
  std::string text = detail.is_string() ? detail.get<std::string>() : detail.dump();
  if (text.size() > kDetailBytesMax) text.resize(kDetailBytesMax);
  return absl::Status(CodeOf(response.status), "the arena says: " + PrintableLine(text));
}

// Reads a member of an answer, which must be there and have the right type.
template <class T>
absl::StatusOr<T> MemberOf(const json& object, const char* key) {
  try {
    return object.at(key).get<T>();
  } catch (const json::exception&) {
    return absl::DataLossError(
        absl::StrFormat("the arena's answer has no usable member %s", Quote(key)));
  }
}

absl::StatusOr<TableResult> ReadResult(const json& value) {
  TableResult result;
  ASSIGN_OR_RETURN(result.result, MemberOf<std::string>(value, "result"));
  ASSIGN_OR_RETURN(result.places, (MemberOf<std::map<std::string, int>>(value, "places")));
  ASSIGN_OR_RETURN(result.termination, MemberOf<std::string>(value, "termination"));
  return result;
}

json BodyOf(const JoinWish& wish, const std::string& secret) {
  json body = json::object();
  const auto add = [&body](const char* key, const std::string& text) {
    if (!text.empty()) body[key] = text;
  };
  add("game", wish.game);
  add("name", wish.name);
  add("type", wish.type);
  add("model", wish.model);
  add("seat", wish.seat);
  add("table", wish.table);
  add("secret", secret);
  if (wish.opponents == "anyone" || wish.opponents == "private") {
    add("opponents", wish.opponents);
  } else if (!wish.opponents.empty()) {
    for (const std::string_view bot : Split(wish.opponents, ',')) {
      body["opponents"].push_back(std::string(Trim(bot)));
    }
  }
  if (wish.rated) body["rated"] = *wish.rated;
  if (wish.fill_seconds) body["fill_seconds"] = *wish.fill_seconds;
  if (wish.move_seconds) body["move_seconds"] = *wish.move_seconds;
  return body;
}

}  // namespace

struct ArenaClient::Call {
  const char* method = "GET";
  std::string path;
  std::string secret = {};  // a token or a key
  std::optional<json> body = {};
  milliseconds time = kAnswerTime;  // for one try
  milliseconds patience;            // for all
  const std::atomic<bool>* stop = nullptr;
};

ArenaClient::ArenaClient(Options options, Parts parts)
    : options_(std::move(options)), parts_(std::move(parts)) {}

absl::StatusOr<TakenSeat> ArenaClient::Join(const JoinWish& wish) {
  const absl::StatusOr<json> answer = Send({.method = "POST",
                                            .path = "/join",
                                            .secret = options_.key,
                                            .body = BodyOf(wish, parts_.secret()),
                                            .patience = options_.patience,
                                            .stop = parts_.stop});
  // An arena knows the page, but perhaps not the table.
  if (absl::IsNotFound(answer.status()) && wish.table.empty()) {
    return absl::NotFoundError(options_.url + " is not an arena: it has no page " +
                               std::string(kApi) + "/join");
  }
  RETURN_IF_ERROR(answer.status());
  TakenSeat seat;
  ASSIGN_OR_RETURN(seat.token, MemberOf<std::string>(*answer, "token"));
  ASSIGN_OR_RETURN(seat.table, MemberOf<std::string>(*answer, "table"));
  ASSIGN_OR_RETURN(seat.seat, MemberOf<std::string>(*answer, "seat"));
  ASSIGN_OR_RETURN(seat.stage, MemberOf<std::string>(*answer, "stage"));
  return seat;
}

absl::StatusOr<TableTurn> ArenaClient::Turn(const std::string& token) {
  ASSIGN_OR_RETURN(const json answer,
                   Send({.path = absl::StrFormat("/turn?wait=%d", kWaitSeconds),
                         .secret = token,
                         .time = kAnswerTime + std::chrono::seconds(kWaitSeconds),
                         .patience = options_.patience,
                         .stop = parts_.stop}));
  TableTurn turn;
  ASSIGN_OR_RETURN(const std::string stage, MemberOf<std::string>(answer, "stage"));
  turn.is_over = stage == "finished" || stage == "closed";
  ASSIGN_OR_RETURN(turn.is_yours, MemberOf<bool>(answer, "your_turn"));
  ASSIGN_OR_RETURN(turn.position, MemberOf<std::string>(answer, "position"));
  ASSIGN_OR_RETURN(turn.events, MemberOf<int64_t>(answer, "events"));
  if (answer.contains("seconds_left") && !answer["seconds_left"].is_null()) {
    ASSIGN_OR_RETURN(turn.seconds_left, MemberOf<double>(answer, "seconds_left"));
  }
  if (answer.contains("result") && !answer["result"].is_null()) {
    ASSIGN_OR_RETURN(turn.result, ReadResult(answer["result"]));
  }
  return turn;
}

absl::StatusOr<TableEvents> ArenaClient::Events(const std::string& table, int64_t after) {
  ASSIGN_OR_RETURN(const json answer,
                   Send({.path = absl::StrFormat("/tables/%s/events?after=%d", table, after),
                         .patience = options_.patience,
                         .stop = parts_.stop}));
  TableEvents events;
  ASSIGN_OR_RETURN(events.events, MemberOf<std::vector<json>>(answer, "events"));
  ASSIGN_OR_RETURN(events.next, MemberOf<int64_t>(answer, "next"));
  return events;
}

absl::Status ArenaClient::Move(const std::string& token, const std::string& move, int64_t ply) {
  return Send({.method = "POST",
               .path = "/move",
               .secret = token,
               .body = json{{"move", move}, {"ply", ply}},
               .patience = options_.patience,
               .stop = parts_.stop})
      .status();
}

absl::Status ArenaClient::Claim(const std::string& token) {
  return Send({.method = "POST",
               .path = "/claim",
               .secret = token,
               .body = json::object(),
               .patience = options_.patience,
               .stop = parts_.stop})
      .status();
}

absl::Status ArenaClient::Resign(const std::string& token) {
  return Send({.method = "POST",
               .path = "/resign",
               .secret = token,
               .body = json::object(),
               .patience = options_.patience,
               .stop = parts_.stop})
      .status();
}

void ArenaClient::Leave(const std::string& token) {
  static const std::atomic<bool> kNever = false;
  const absl::Status left = Send({.method = "POST",
                                  .path = "/resign",
                                  .secret = token,
                                  .body = json::object(),
                                  .time = kLeavePatience,
                                  .patience = kLeavePatience,
                                  .stop = &kNever})
                                .status();
  // A seat that is out of the game, or a game that is over, needs no resignation.
  if (absl::IsUnavailable(left)) parts_.log("cannot resign: " + std::string(left.message()));
}

absl::StatusOr<json> ArenaClient::Send(const Call& call) {
  const auto until = parts_.now() + call.patience;
  milliseconds pause = kFirstPause;
  bool is_told = false;
  while (true) {
    bool is_passing = false;
    milliseconds wait{0};
    absl::StatusOr<json> answer = SendOnce(call, &is_passing, &wait);
    const bool may_retry = is_passing && has_answered_;
    if (answer.ok() || !may_retry) return answer;
    wait = std::max(wait, pause);
    if (parts_.now() + wait >= until) return answer;
    // A restart of the arena takes a moment, which is not worth a word.
    if (!is_told && pause > 4 * kFirstPause) {
      parts_.log(std::string(answer.status().message()) + "; trying again");
      is_told = true;
    }
    if (!Sleep(wait, *call.stop)) return absl::CancelledError("interrupted");
    pause = std::min(2 * pause, kPauseMax);
  }
}

absl::StatusOr<json> ArenaClient::SendOnce(const Call& call, bool* is_passing, milliseconds* wait) {
  HttpRequest request{.method = call.method,
                      .url = options_.url + std::string(kApi) + call.path,
                      .headers = {"Accept: application/json"},
                      .answer_max = kAnswerBytesMax,
                      .end = parts_.now() + call.time,
                      .stop = call.stop,
                      .ca_file = options_.ca_file};
  std::string body;
  if (call.body) {
    body = call.body->dump(-1, ' ', false, json::error_handler_t::replace);
    request.body = body;
    request.headers.emplace_back("Content-Type: application/json");
  }
  if (!call.secret.empty()) request.headers.push_back("Authorization: Bearer " + call.secret);
  const absl::StatusOr<HttpResponse> response = parts_.send(request);
  if (!response.ok()) {
    if (absl::IsCancelled(response.status())) return absl::CancelledError("interrupted");
    *is_passing = !absl::IsResourceExhausted(response.status());
    return absl::UnavailableError("cannot reach " + options_.url + ": " +
                                  std::string(response.status().message()));
  }
  json answer = json::parse(response->body, nullptr, /*allow_exceptions=*/false);
  const bool is_done = response->status >= 200 && response->status < 300;
  if (is_done && answer.is_object()) {
    has_answered_ = true;
    return answer;
  }
  // Whatever it is, somebody has answered.
  *is_passing = IsPassingStatus(response->status);
  has_answered_ = has_answered_ || *is_passing;
  if (response->retry_after) *wait = *response->retry_after;
  return RefusalOf(options_.url, *response, is_done ? json() : answer);
}

bool ArenaClient::Sleep(milliseconds time, const std::atomic<bool>& stop) {
  const auto until = parts_.now() + time;
  while (!stop) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - parts_.now());
    if (left <= milliseconds(0)) return true;
    parts_.sleep(std::min(left, kLookInterval));
  }
  return false;
}

absl::StatusOr<std::string> ArenaUrl(const std::string& text) {
  std::string url = text;
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with(kApi)) url.resize(url.size() - kApi.size());
  const size_t scheme = url.find("://");
  const bool is_web = url.starts_with("http://") || url.starts_with("https://");
  if (is_web && url.size() > scheme + 3 && IsPlainText(url) &&
      url.find_first_of(" ?#") == std::string::npos) {
    return url;
  }
  return absl::InvalidArgumentError("URL: expected the address of an arena, as in " +
                                    std::string("https://arena.example.org, not ") + Quote(text));
}

ArenaClient::Parts RealParts(std::function<void(const std::string&)> log,
                             const std::atomic<bool>* stop) {
  const auto curl = std::make_shared<CurlClient>();
  return {.send = [curl](const HttpRequest& request) { return curl->Send(request); },
          .now = [] { return std::chrono::steady_clock::now(); },
          .sleep = [](milliseconds time) { std::this_thread::sleep_for(time); },
          .secret =
              [] {
                std::random_device random;
                return absl::StrFormat("%08x%08x%08x%08x", random(), random(), random(), random());
              },
          .log = std::move(log),
          .stop = stop};
}

}  // namespace triarch::arena
