// Measures an arena under load: how fast moves reach spectators, and what the server uses.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/random.h"
#include "tests/load/event_loop_client.h"

// usage: triarch-arena-load PROGRAM [--games N] [--spectators N] [--seconds N] …
//        triarch-arena-load PROGRAM --moves N
//        triarch-arena-load PROGRAM --idle N
//
// Starts `PROGRAM arena` on loopback with a database in a temporary folder (or --store URL), plays
// Triumvirate through /api/v1 as its existing clients do, each request on a new connection, and
// prints the figures. With --moves it plays that many moves at one table, one after another, or a
// whole game if that ends sooner, and measures how long the disk takes for as many bytes; with
// --idle it fills that many tables, at which nobody moves.
namespace triarch {
namespace {

using std::chrono::milliseconds;

struct Options {
  std::string program;
  std::string store;
  int games = 200;
  int spectators = 1'000;
  int seconds = 60;
  int poll_ms = 1'000;
  int think_ms = 3'000;
  int moves = 0;
  int idle = 0;
};

// A server that ends with this object.
class ArenaProcess {
 public:
  explicit ArenaProcess(const Options& options) {
    folder_ = std::filesystem::temp_directory_path() / absl::StrFormat("arena_load_%d", ::getpid());
    std::filesystem::create_directory(folder_);
    std::vector<std::string> words = {options.program,    "arena", "--listen",       "127.0.0.1:0",
                                      "--linger-seconds", "0",     "--fill-seconds", "3600",
                                      "--move-seconds",   "86400"};
    if (options.store.empty()) {
      words.insert(words.end(), {"--db", folder_ / "arena.db"});
    } else {
      words.insert(words.end(), {"--store", options.store});
    }
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) Fail("pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(pipe[1], STDOUT_FILENO);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      ::execv(arguments[0], arguments.data());
      std::_Exit(127);
    }
    ::close(pipe[1]);
    output_ = ::fdopen(pipe[0], "r");
    std::array<char, 512> line{};
    int port = 0;
    if (std::fgets(line.data(), line.size(), output_) == nullptr ||
        std::sscanf(line.data(), "Serving http://127.0.0.1:%d", &port) != 1) {
      Fail("the arena did not start");
    }
    port_ = static_cast<uint16_t>(port);
  }
  ~ArenaProcess() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
    std::fclose(output_);
    std::filesystem::remove_all(folder_);
  }

  uint16_t port() const { return port_; }
  const std::filesystem::path& folder() const { return folder_; }
  double CpuSeconds() const {
    std::ifstream file(absl::StrFormat("/proc/%d/stat", process_));
    std::string text((std::istreambuf_iterator<char>(file)), {});
    // The 14th and 15th field; the second one, in parentheses, may contain spaces.
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  double Megabytes() const {
    std::ifstream file(absl::StrFormat("/proc/%d/statm", process_));
    double total = 0;
    double resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
  }

 private:
  [[noreturn]] static void Fail(const char* what) {
    std::fprintf(stderr, "error: %s\n", what);
    std::exit(1);
  }

  std::filesystem::path folder_;
  pid_t process_ = 0;
  FILE* output_ = nullptr;
  uint16_t port_ = 0;
};

// Times in milliseconds.
class Latencies {
 public:
  void Add(LoadClock::duration time) {
    times_.push_back(std::chrono::duration<double, std::milli>(time).count());
  }
  size_t size() const { return times_.size(); }
  void Clear() { times_.clear(); }
  void Print(const char* what) {
    if (times_.empty()) {
      absl::PrintF("%-28s none\n", what);
      return;
    }
    std::sort(times_.begin(), times_.end());
    absl::PrintF("%-28s %8d   median %7.2f ms   p99 %7.2f ms   most %7.2f ms\n", what,
                 times_.size(), At(0.5), At(0.99), times_.back());
  }

 private:
  double At(double share) const {
    return times_[static_cast<size_t>(share * static_cast<double>(times_.size() - 1))];
  }
  std::vector<double> times_;
};

// Returns the text of a JSON member; "" if it is missing or not a text.
std::string_view TextOf(std::string_view json, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\":\"";
  const size_t at = json.find(quoted);
  if (at == std::string_view::npos) return "";
  json.remove_prefix(at + quoted.size());
  return json.substr(0, json.find('"'));
}

int NumberOfMember(std::string_view json, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\":";
  const size_t at = json.find(quoted);
  return at == std::string_view::npos ? 0 : std::atoi(json.data() + at + quoted.size());
}

// Returns the body of a move from `legal_moves`: {"A1":["B2","C3"],…}.
std::string RandomMove(std::string_view json, Random& random) {
  const size_t at = json.find("\"legal_moves\":{");
  if (at == std::string_view::npos) return "";
  const std::string_view state = json.substr(at + 15, json.find('}', at) - at - 15);
  std::vector<std::pair<std::string_view, std::string_view>> moves;
  std::string_view from;
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i] != '"') continue;
    const size_t end = state.find('"', i + 1);
    const std::string_view word = state.substr(i + 1, end - i - 1);
    if (end + 1 < state.size() && state[end + 1] == ':') {
      from = word;
    } else {
      moves.emplace_back(from, word);
    }
    i = end;
  }
  if (moves.empty()) return "";
  const auto& move = moves[random.Below(static_cast<uint32_t>(moves.size()))];
  return absl::StrFormat(R"({"from":"%s","to":"%s","move_number":%d})", std::string(move.first),
                         std::string(move.second), NumberOfMember(json, "move_number"));
}

struct Figures {
  Latencies states;
  Latencies moves;
  Latencies spectators;
  int64_t failures = 0;
  int64_t missed = 0;  // moves that a spectator had not seen when the next one was sent
  int64_t bytes = 0;   // of bodies and messages
};

struct LoadTable {
  std::string id;
  LoadClock::time_point sent;  // when the last move was sent
  int spectators = 0;
  int seen = 0;           // by spectators since then
  bool is_begun = false;  // whether a move was sent
};

// A player who polls the state, thinks, and moves.
class PollingClient {
 public:
  PollingClient(LoadLoop& loop, const Options& options, Figures& figures, LoadTable& table,
                int number)
      : loop_(loop),
        options_(options),
        figures_(figures),
        table_(table),
        random_(static_cast<uint64_t>(number)) {}

  // Joins and calls `done`.
  void Join(std::function<void()> done) {
    std::string body = R"({"name":"Load","type":"llm")";
    if (!table_.id.empty()) body += R"(,"game_id":")" + table_.id + "\"";
    SendRequest(loop_, "POST", "/api/v1/join", "", body + "}",
                [this, done = std::move(done)](const LoadResponse& response) {
                  if (response.status != 200) {
                    ++figures_.failures;
                    return loop_.Stop();
                  }
                  token_ = TextOf(response.body, "player_token");
                  color_ = TextOf(response.body, "color");
                  table_.id = TextOf(response.body, "game_id");
                  done();
                });
  }

  const std::string& token() const { return token_; }
  const std::string& color() const { return color_; }

  // Begins to poll within the time of a turn, so that the games do not move at once.
  void Start() { PollAfter(Below(options_.think_ms + options_.poll_ms)); }

 private:
  int Below(int limit) {
    return limit <= 0 ? 0 : static_cast<int>(random_.Below(static_cast<uint32_t>(limit)));
  }
  // Half the time to one and a half times.
  int Around(int ms) { return ms / 2 + Below(ms); }

  void PollAfter(int ms) {
    loop_.After(milliseconds(ms), [this] { Poll(); });
  }

  void Poll() {
    SendRequest(loop_, "GET", "/api/v1/state", token_, "", [this](const LoadResponse& response) {
      if (response.status != 200) {
        ++figures_.failures;
        return PollAfter(Around(options_.poll_ms));
      }
      figures_.bytes += static_cast<int64_t>(response.body.size());
      figures_.states.Add(response.took);
      const bool is_turn = TextOf(response.body, "current_player") == color_ &&
                           TextOf(response.body, "game_status") == "playing";
      if (!is_turn) return PollAfter(Around(options_.poll_ms));
      loop_.After(milliseconds(Around(options_.think_ms)),
                  [this, move = RandomMove(response.body, random_)] { Move(move); });
    });
  }

  void Move(const std::string& move) {
    if (table_.is_begun) figures_.missed += std::max(0, table_.spectators - table_.seen);
    table_.is_begun = true;
    table_.sent = LoadClock::now();
    table_.seen = 0;
    SendRequest(loop_, "POST", "/api/v1/move", token_, move, [this](const LoadResponse& response) {
      if (response.status == 200) {
        figures_.moves.Add(response.took);
      } else {
        ++figures_.failures;
      }
      PollAfter(Around(options_.poll_ms));
    });
  }

  LoadLoop& loop_;
  const Options& options_;
  Figures& figures_;
  LoadTable& table_;
  Random random_;
  std::string token_;
  std::string color_;
};

// All clients and spectators.
class ArenaLoad {
 public:
  ArenaLoad(const Options& options, ArenaProcess& arena, int games)
      : options_(options), arena_(arena), loop_(arena.port()) {
    tables_.resize(static_cast<size_t>(games));
    for (size_t i = 0; i < 3 * tables_.size(); ++i) {
      clients_.push_back(std::make_unique<PollingClient>(loop_, options_, figures_, tables_[i / 3],
                                                         static_cast<int>(i)));
    }
  }

  // Fills all tables, one after another, because a player without a wish joins a table that waits.
  // Returns whether that worked.
  bool Fill() {
    FillNext();
    loop_.RunUntil(LoadClock::now() + std::chrono::minutes(10));
    return figures_.failures == 0 && filled_ == tables_.size();
  }

  void Measure() {
    for (int i = 0; i < options_.spectators; ++i) {
      LoadTable& table = tables_[static_cast<size_t>(i) % tables_.size()];
      ++table.spectators;
      OpenLoadSocket(
          loop_, "/api/v1/ws/" + table.id,
          [this, &table](std::string_view text) {
            figures_.bytes += static_cast<int64_t>(text.size());
            // The first message is the state at the time.
            if (!text.starts_with("{\"type\"")) return;
            figures_.spectators.Add(LoadClock::now() - table.sent);
            ++table.seen;
          },
          [this] { ++figures_.failures; });
    }
    for (const auto& client : clients_) client->Start();
    loop_.RunUntil(LoadClock::now() + std::chrono::seconds(5));  // to warm up
    figures_ = {};
    const double cpu = arena_.CpuSeconds();
    const double own = OwnCpuSeconds();
    loop_.RunUntil(LoadClock::now() + std::chrono::seconds(options_.seconds));
    const double seconds = options_.seconds;
    figures_.spectators.Print("move to spectator");
    figures_.moves.Print("POST /move");
    figures_.states.Print("GET /state");
    absl::PrintF("server                       %.2f of a core, %.0f MB\n",
                 (arena_.CpuSeconds() - cpu) / seconds, arena_.Megabytes());
    absl::PrintF("load generator               %.2f of a core, %.1f MB/s received\n",
                 (OwnCpuSeconds() - own) / seconds,
                 static_cast<double>(figures_.bytes) / seconds / 1e6);
    absl::PrintF("failures                     %d, and %d moves missed by spectators\n",
                 figures_.failures, figures_.missed);
  }

  // Plays moves one after another at the first table.
  void PlayMoves(int count) {
    PlayNext(count);
    loop_.RunUntil(LoadClock::now() + std::chrono::minutes(10));
    figures_.moves.Print("POST /move");
    figures_.states.Print("GET /state");
    FlushDisk();
  }

  bool is_good() const {
    const bool is_watched = options_.moves > 0 || options_.spectators == 0 ||
                            (figures_.missed == 0 && figures_.spectators.size() > 0);
    return figures_.failures == 0 && figures_.moves.size() > 0 && is_watched;
  }

 private:
  static double OwnCpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

  void PlayNext(int left) {
    if (left == 0) return loop_.Stop();
    SendRequest(loop_, "GET", "/api/v1/state", clients_[0]->token(), "",
                [this, left](const LoadResponse& state) {
                  const std::string_view color = TextOf(state.body, "current_player");
                  const std::string move = RandomMove(state.body, random_);
                  if (TextOf(state.body, "game_status") != "playing") return loop_.Stop();
                  figures_.states.Add(state.took);
                  for (const auto& client : clients_) {
                    if (client->color() == color) PlayMove(client->token(), move, left);
                  }
                });
  }
  void PlayMove(const std::string& token, const std::string& move, int left) {
    SendRequest(loop_, "POST", "/api/v1/move", token, move,
                [this, left](const LoadResponse& response) {
                  if (response.status != 200) {
                    ++figures_.failures;
                    return loop_.Stop();
                  }
                  figures_.moves.Add(response.took);
                  PlayNext(left - 1);
                });
  }

  // Measures what a move costs at least, if it is to survive a power cut.
  void FlushDisk() {
    const std::string path = arena_.folder() / "flushed";
    const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    const std::string page(8192, 'x');
    Latencies times;
    for (int i = 0; i < 200; ++i) {
      const LoadClock::time_point start = LoadClock::now();
      const bool is_written = ::write(file, page.data(), page.size()) > 0 && ::fdatasync(file) == 0;
      if (is_written) times.Add(LoadClock::now() - start);
    }
    ::close(file);
    times.Print("the disk, 8 KiB");
  }

  void FillNext() {
    if (next_ == tables_.size()) return;
    Seat(3 * next_++, 3);
  }
  void Seat(size_t client, int left) {
    clients_[client]->Join([this, client, left] {
      if (left > 1) return Seat(client + 1, left - 1);
      if (++filled_ == tables_.size()) return loop_.Stop();
      FillNext();
    });
  }

  const Options& options_;
  ArenaProcess& arena_;
  LoadLoop loop_;
  Figures figures_;
  std::vector<LoadTable> tables_;
  std::vector<std::unique_ptr<PollingClient>> clients_;
  Random random_{1};
  size_t next_ = 0;
  size_t filled_ = 0;
};

int MeasureMoves(const Options& options) {
  ArenaProcess arena(options);
  ArenaLoad load(options, arena, 1);
  if (!load.Fill()) return 1;
  load.PlayMoves(options.moves);
  return load.is_good() ? 0 : 1;
}

int MeasureIdle(const Options& options) {
  ArenaProcess arena(options);
  const double before = arena.Megabytes();
  ArenaLoad load(options, arena, options.idle);
  if (!load.Fill()) return 1;
  absl::PrintF("%d tables with three players: %.0f MB, %.0f MB before\n", options.idle,
               arena.Megabytes(), before);
  return 0;
}

int Main(const Options& options) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (options.moves > 0) return MeasureMoves(options);
  if (options.idle > 0) return MeasureIdle(options);
  ArenaProcess arena(options);
  ArenaLoad load(options, arena, options.games);
  if (!load.Fill()) {
    std::fprintf(stderr, "error: the tables were not filled\n");
    return 1;
  }
  load.Measure();
  return load.is_good() ? 0 : 1;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  triarch::Options options;
  CLI::App app("Measures an arena under load.");
  app.add_option("program", options.program, "The path of triarch")->required();
  app.add_option("--store", options.store, "A PostgreSQL database instead of a SQLite file");
  app.add_option("--games", options.games)->check(CLI::Range(1, 20'000))->capture_default_str();
  app.add_option("--spectators", options.spectators)->check(CLI::Range(0, 20'000));
  app.add_option("--seconds", options.seconds)->check(CLI::Range(1, 3'600));
  app.add_option("--poll-ms", options.poll_ms, "Time between a client's requests of the state")
      ->check(CLI::Range(1, 60'000));
  app.add_option("--think-ms", options.think_ms)->check(CLI::Range(0, 60'000));
  app.add_option("--moves", options.moves, "Play only this many moves, one after another");
  app.add_option("--idle", options.idle, "Only fill this many tables");
  CLI11_PARSE(app, argc, argv);
  return triarch::Main(options);
}
