// An arena without sockets, threads and files, for tests of its APIs.

#ifndef TRIARCH_ARENA_API_TEST_ARENA_H_
#define TRIARCH_ARENA_API_TEST_ARENA_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "arena/api/about.h"
#include "arena/api/accounts.h"
#include "arena/api/bans.h"
#include "arena/api/body.h"
#include "arena/api/operator.h"
#include "arena/api/v1.h"
#include "arena/api/v2.h"
#include "arena/session/test_parts.h"
#include "arena/store/arena_store.h"
#include "arena/table/test_table.h"
#include "core/record/spec_words.h"

namespace triarch::arena {

inline WebRequest TestRequest(std::string method, std::string path, std::string query = "",
                              std::string body = "") {
  WebRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.query = std::move(query);
  request.body = std::move(body);
  return request;
}

class TestStream final : public WebStream {
 public:
  void Send(WebText text) override {
    if (!is_open_) return;
    sent.push_back(*text);
    if (sent.size() == close_at) Close();
  }
  void Close() override {
    if (!std::exchange(is_open_, false)) return;
    drained_ = nullptr;
    if (closed_) std::exchange(closed_, nullptr)();
  }
  bool is_open() const override { return is_open_; }
  void OnClose(std::function<void()> closed) override { closed_ = std::move(closed); }
  void OnDrained(std::function<void()> drained) override { drained_ = std::move(drained); }
  // Takes all texts.
  void Drain() {
    if (drained_) std::exchange(drained_, nullptr)();
  }

  std::vector<std::string> sent;
  size_t close_at = 0;  // closes while it is sent the text with this number; 0 for never

 private:
  bool is_open_ = true;
  std::function<void()> closed_;
  std::function<void()> drained_;
};

// Checks that it is answered at most once.
class TestExchange final : public WebExchange {
 public:
  explicit TestExchange(WebRequest request) : request_(std::move(request)) {}

  const WebRequest& request() const override { return request_; }
  void Reply(WebResponse response) override {
    Answer();
    answer = std::move(response);
  }
  std::shared_ptr<WebStream> BeginEvents() override { return Begin(); }
  std::shared_ptr<WebStream> BeginSocket() override {
    CHECK(request_.is_upgrade);
    return Begin();
  }
  bool is_gone() const override { return is_gone_; }

  void Leave() { is_gone_ = true; }
  bool is_answered() const { return is_answered_; }
  int status() const { return answer ? answer->status : 0; }
  std::string text() const { return answer && answer->body ? *answer->body : ""; }
  ApiJson json() const { return ApiJson::parse(text()); }

  std::optional<WebResponse> answer;
  std::shared_ptr<TestStream> stream;

 private:
  void Answer() {
    CHECK(!is_answered_);
    is_answered_ = true;
  }
  std::shared_ptr<TestStream> Begin() {
    Answer();
    return stream = std::make_shared<TestStream>();
  }

  const WebRequest request_;
  bool is_answered_ = false;
  bool is_gone_ = false;
};

// Keeps everything in memory.
class TestArenaStore final : public ArenaStore {
 public:
  explicit TestArenaStore(TestStore& events) : events_(events) {}

  absl::StatusOr<std::vector<absl::Status>> Append(std::span<const Appended> batch) override {
    std::vector<absl::Status> statuses;
    for (const Appended& appended : batch) statuses.push_back(events_.Append(appended));
    return statuses;
  }
  absl::StatusOr<std::vector<Event>> Events(const std::string& table, int64_t first) override {
    return events_.Events(table, first);
  }
  absl::StatusOr<std::vector<TableSize>> Tables(int64_t) override {
    std::vector<TableSize> tables;
    for (const auto& [id, events] : events_.tables()) {
      tables.push_back({id, static_cast<int64_t>(events.size())});
    }
    return tables;
  }
  absl::Status AddBan(const Ban& ban) override {
    bans_.push_back(ban);
    return absl::OkStatus();
  }
  absl::Status RemoveBan(Ban::Kind kind, const std::string& what) override {
    std::erase_if(bans_, [&](const Ban& ban) { return ban.kind == kind && ban.what == what; });
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<Ban>> Bans() override { return bans_; }
  absl::Status End(const EndedTable& ended) override {
    const Table table = events_.Rebuilt(ended.table);
    const ListedGame listed{
        .table = table.id(),
        .game = std::string(table.info().name),
        .tournament_name = "arena " + std::string(table.info().name),
        .place = {},
        .ended_ms = ended.ended_ms,
        .players = table.game() == nullptr ? PerSeat<std::string>() : table.game()->record().bots,
        .result = "*",
        .placement = "",
        .termination = "",
        .plies = table.plies()};
    if (table.stage() == Table::Stage::kFinished) games_[{ended.ended_ms, ended.table}] = listed;
    return absl::OkStatus();
  }
  absl::Status AddPlayer(const StoredPlayer& player) override {
    const bool is_new = players_.emplace(absl::AsciiStrToLower(player.name), player).second;
    return is_new ? absl::OkStatus() : absl::AlreadyExistsError("the name belongs to an account");
  }
  absl::StatusOr<std::optional<StoredPlayer>> FindPlayer(const std::string& name) override {
    return Find([&](const auto& entry) { return entry.first == absl::AsciiStrToLower(name); });
  }
  absl::StatusOr<std::optional<StoredPlayer>> FindKey(const std::string& key_hash) override {
    return Find([&](const auto& entry) { return entry.second.key_hash == key_hash; });
  }
  absl::Status SetKey(const std::string& name, const std::string& key_hash) override {
    const auto found = players_.find(absl::AsciiStrToLower(name));
    if (found == players_.end()) return absl::NotFoundError("there is no such player");
    found->second.key_hash = key_hash;
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<ListedGame>> Games(const GamesQuery& query) override {
    std::vector<ListedGame> games;
    for (auto game = games_.rbegin(); game != games_.rend(); ++game) {
      if (game->first >= std::pair(query.before_ms, query.before_table)) continue;
      if (!query.game.empty() && query.game != game->second.game) continue;
      if (static_cast<int64_t>(games.size()) < query.limit) games.push_back(game->second);
    }
    return games;
  }
  const std::map<std::string, StoredPlayer>& players() const { return players_; }

 private:
  template <class Is>
  absl::StatusOr<std::optional<StoredPlayer>> Find(Is is) const {
    if (!error.ok()) return error;
    const auto found = std::find_if(players_.begin(), players_.end(), is);
    return found == players_.end() ? std::nullopt : std::optional(found->second);
  }

 public:
  absl::Status error = absl::OkStatus();  // of all searches for players

 private:
  TestStore& events_;
  std::map<std::string, StoredPlayer> players_;  // by name in small letters
  std::map<std::pair<int64_t, std::string>, ListedGame> games_;
  std::vector<Ban> bans_;
};

class TestArena {
 public:
  explicit TestArena(TestStore& events) : store(events), log(events) {
    const Session::Options options{
        .tables_max = 50, .kept_ms = 3'600'000, .house_bots = {"random", "greedy", "paranoid"}};
    session = std::make_unique<Session>(
        options,
        Session::Parts{
            .log = &log,
            .house_bots = &bots,
            .now_ms = [this] { return now_ms; },
            .random = [this] { return TestBytes(random); },
            .rating = [](std::string_view, std::string_view) { return 0.0; },
            .changed =
                [this](const Table& table, int64_t first, const std::vector<Event>& happened) {
                  v1->Changed(table, happened);
                  v2->Changed(table, first, happened);
                  if (table.is_over()) {
                    CHECK(store.End({.table = table.id(), .ended_ms = table.ended_ms()}).ok());
                  }
                }});
    const StoreAccess access{
        .run =
            [this](auto task) { tasks.push_back([this, task = std::move(task)] { task(store); }); },
        .post = [this](auto errand) { tasks.push_back(std::move(errand)); }};
    accounts = std::make_unique<Accounts>(
        Accounts::Parts{.store = access,
                        .now_ms = [this] { return now_ms; },
                        .random = [this] { return TestBytes(random); },
                        .is_bot = [](const std::string& name) { return name == "smart"; }});
    v1 = std::make_unique<ApiV1>(ApiV1::Parts{
        .session = session.get(),
        .settings = {.game = "triumvirate"},
        .results = [this] { return results; },
        .check_free = [this](const std::string& name,
                             auto done) { accounts->CheckFree(name, std::move(done)); }});
    v2 = std::make_unique<ApiV2>(V2Parts{.session = session.get(),
                                         .log = &log,
                                         .accounts = accounts.get(),
                                         .store = access,
                                         .now_ms = [this] { return now_ms; },
                                         .settings = {},
                                         .bots = {{"random", "plays any move"}},
                                         .check_bot =
                                             [](const std::string&, const std::string& word) {
                                               return word == "random"
                                                          ? absl::OkStatus()
                                                          : absl::InvalidArgumentError("no bot");
                                             },
                                         .results = [this] { return results; }});
    operators = std::make_unique<ApiOperator>(
        ApiOperator::Parts{.session = session.get(),
                           .bans = &bans,
                           .accounts = accounts.get(),
                           .store = access,
                           .now_ms = [this] { return now_ms; },
                           .is_operator = [](std::string_view shown) { return shown == kOperator; },
                           .log = [](std::string_view, const std::string&) {}});
  }

  // The header Authorization of an operator.
  static constexpr std::string_view kOperator = "Bearer operator";

  // Hands over a request, whose answer may come later.
  std::shared_ptr<TestExchange> Send(WebRequest request) {
    auto exchange = std::make_shared<TestExchange>(std::move(request));
    const bool is_ours = v1->Handle(exchange) || operators->Handle(exchange) ||
                         v2->Handle(exchange) ||
                         ShowAbout(exchange, {&v2->routes(), &ApiV1::Routes()});
    if (!is_ours) ReplyDetail(exchange, 404, "there is no such page");
    return exchange;
  }
  // Hands over a request of that kind, and does everything that can be done.
  std::shared_ptr<TestExchange> Get(const std::string& target, const std::string& token = "") {
    return Ask("GET", target, token, "");
  }
  std::shared_ptr<TestExchange> Post(const std::string& path, const std::string& token = "",
                                     const std::string& body = "") {
    return Ask("POST", path, token, body);
  }
  std::shared_ptr<TestExchange> Ask(const std::string& method, const std::string& target,
                                    const std::string& token, const std::string& body) {
    const size_t question = target.find('?');
    WebRequest request =
        TestRequest(method, target.substr(0, question),
                    question == std::string::npos ? "" : target.substr(question + 1), body);
    if (!token.empty()) request.authorization = "Bearer " + token;
    auto exchange = Send(std::move(request));
    Settle();
    return exchange;
  }

  void Settle() {
    while (!tasks.empty() || log.task_count() + log.answer_count() > 0) {
      log.Settle();
      if (tasks.empty()) continue;
      const auto task = std::move(tasks.front());
      tasks.pop_front();
      task();
    }
  }
  void Pass(int64_t ms) {
    now_ms += ms;
    session->Tick();
    v2->Tick();
    Settle();
  }

  TestArenaStore store;
  TestLog log;
  TestBots bots;
  int64_t now_ms = kTestTime;
  Random random{1};
  std::shared_ptr<const Results> results = std::make_shared<Results>();
  std::deque<std::function<void()>> tasks;  // of the store's thread and the server's
  std::unique_ptr<Session> session;
  std::unique_ptr<Accounts> accounts;
  std::unique_ptr<ApiV1> v1;
  std::unique_ptr<ApiV2> v2;
  Bans bans;
  std::unique_ptr<ApiOperator> operators;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_TEST_ARENA_H_
