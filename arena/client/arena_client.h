// Speaks /api/v2 of an arena (docs/arena-api.md) as a player.

#ifndef TRIARCH_ARENA_CLIENT_ARENA_CLIENT_H_
#define TRIARCH_ARENA_CLIENT_ARENA_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/curl_client.h"

namespace triarch::arena {

// What to ask for. Empty members leave the choice to the arena.
struct JoinWish {
  std::string game = {};
  std::string name = {};
  std::string type = {};   // "bot", "llm" or "human"
  std::string model = {};  // of a language model
  std::string seat = {};   // "white"
  std::string table = {};  // the id of a table that waits
  // "anyone", "private", or house bots separated by commas: "smart,mcts:nodes=500".
  std::string opponents = {};
  std::optional<bool> rated = {};
  std::optional<int64_t> fill_seconds = {};
  std::optional<int64_t> move_seconds = {};
};

struct TakenSeat {
  std::string token;
  std::string table;
  std::string seat;
  std::string stage;
};

// The result of a game: places by the names of seats.
struct TableResult {
  std::string result;  // "1-0"
  std::map<std::string, int> places;
  std::string termination;
};

// The part of a turn that a program needs.
struct TableTurn {
  bool is_yours = false;
  bool is_over = false;  // finished, or closed without a result
  std::string position = {};
  std::optional<double> seconds_left = {};
  int64_t events = 0;
  std::optional<TableResult> result = {};
};

struct TableEvents {
  std::vector<nlohmann::json> events;
  int64_t next = 0;
};

// Sends requests one at a time. Repeats those that got no answer or a passing refusal (429, 502 to
// 504) until its patience ends: every one of them is safe to repeat. But if nobody has ever
// answered at the address, it is probably wrong and gets only one try.
//
// Errors are InvalidArgument for 400 and 422, Unauthenticated for 401, FailedPrecondition for 403,
// NotFound for 404, Aborted for 409, PermissionDenied for 410 (the seat is lost), Cancelled after
// a stop, Unavailable if the arena cannot be reached, and DataLoss for an answer that is none of
// an arena.
class ArenaClient {
 public:
  struct Options {
    std::string url;           // "https://arena.example.org"
    std::string key = {};      // of an account
    std::string ca_file = {};  // PEM file of the authority behind the arena's certificate
    std::chrono::milliseconds patience{300'000};
  };
  // The world, replaceable in tests.
  struct Parts {
    std::function<absl::StatusOr<HttpResponse>(const HttpRequest&)> send;
    std::function<std::chrono::steady_clock::time_point()> now;
    std::function<void(std::chrono::milliseconds)> sleep;
    std::function<std::string()> secret;          // 32 random digits from 0 to 9 and a to f
    std::function<void(const std::string&)> log;  // gets a line when the arena does not answer
    const std::atomic<bool>* stop = nullptr;
  };

  ArenaClient(Options options, Parts parts);

  // Takes a seat. The request has a secret of its own, so that repeating it takes the same seat.
  absl::StatusOr<TakenSeat> Join(const JoinWish& wish);
  // Waits for the seat's turn or the end of the game, but not long.
  absl::StatusOr<TableTurn> Turn(const std::string& token);
  // Returns the events from number `after` on.
  absl::StatusOr<TableEvents> Events(const std::string& table, int64_t after);
  absl::Status Move(const std::string& token, const std::string& move, int64_t ply);
  absl::Status Claim(const std::string& token);
  absl::Status Resign(const std::string& token);
  // Leaves the table or the game after a stop, which does not apply to it. Does not try for long.
  void Leave(const std::string& token);

 private:
  struct Call;
  absl::StatusOr<nlohmann::json> Send(const Call& call);
  absl::StatusOr<nlohmann::json> SendOnce(const Call& call, bool* is_passing,
                                          std::chrono::milliseconds* wait);
  bool Sleep(std::chrono::milliseconds time, const std::atomic<bool>& stop);

  const Options options_;
  const Parts parts_;
  bool has_answered_ = false;
};

// Returns the base of an arena's URL, without a slash at the end. InvalidArgument: it does not
// begin with http:// or https://.
absl::StatusOr<std::string> ArenaUrl(const std::string& text);

// Returns the parts of a client for the real world. `log` and `stop` must outlive it.
ArenaClient::Parts RealParts(std::function<void(const std::string&)> log,
                             const std::atomic<bool>* stop);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_CLIENT_ARENA_CLIENT_H_
