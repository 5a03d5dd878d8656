#include "arena/service/arena_server.h"

#include <openssl/rand.h>

#include <string>
#include <utility>
#include <vector>

#include "arena/api/about.h"
#include "arena/api/body.h"
#include "arena/api/reply.h"
#include "arena/service/finished_game.h"
#include "arena/service/read_results.h"
#include "bots/bots.h"
#include "bots/searchers.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{100};
constexpr int64_t kTicksPerSweep = 50;

// The results are not read for this many times as long as reading took: many players take seconds.
constexpr int64_t kResultsPause = 10;

// Between two entries of the log about the database.
constexpr int64_t kStoreErrorPauseMs = 10'000;

// How long a server that is to stop waits for answers that are under way.
constexpr milliseconds kEndPoll{5};
constexpr int64_t kEndPolls = 400;

std::string RandomBytes() {
  std::string bytes(16, '\0');
  if (::RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()),
                   static_cast<int>(bytes.size())) != 1) {
    throw std::runtime_error("there are no random numbers");
  }
  return bytes;
}

// Whether a name in small letters is that of a bundled bot, or of one in a seat (HouseBotName).
bool IsBotName(const std::string& name) {
  return FindBot(name).ok() || FindBot(name.substr(0, name.find("bot-"))).ok();
}

// Returns the id of the table that the token or the path of a request names; empty if none does.
std::string TableOfRequest(const WebRequest& request) {
  constexpr size_t kIdLength = 36;
  for (const std::string_view part : Split(request.path, '/')) {
    if (part.size() == kIdLength) return std::string(part);
  }
  return TableOfToken(BearerToken(request));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ArenaServer>> ArenaServer::Make(int listening_socket,
                                                               std::unique_ptr<ArenaStore> store,
                                                               Options options, LogTo log) {
  std::unique_ptr<ArenaServer> server(
      new ArenaServer(std::move(store), std::move(options), std::move(log)));
  RETURN_IF_ERROR(server->Listen(listening_socket));
  return server;
}

ArenaServer::ArenaServer(std::unique_ptr<ArenaStore> store, Options options, LogTo log)
    : options_(std::move(options)),
      log_(std::move(log)),
      began_ms_(std::chrono::duration_cast<milliseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count()),
      restored_from_(std::move(store)) {}

ArenaServer::~ArenaServer() {
  // The threads end first, because they post to the others.
  if (result_thread_.joinable()) result_thread_.join();
  reader_ = nullptr;
  slow_reader_ = nullptr;
  peers_ = nullptr;
  house_ = nullptr;
  store_ = nullptr;
  operator_ = nullptr;
  v2_ = nullptr;
  v1_ = nullptr;
  session_ = nullptr;
  web_ = nullptr;
}

int64_t ArenaServer::now_ms() const {
  return began_ms_ +
         std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_)
             .count();
}

absl::Status ArenaServer::Listen(int listening_socket) {
  gate_ = std::make_unique<Gate>(
      options_.requests_per_second, options_.limits.connections_per_client_max,
      Gate::Parts{.bans = &bans_,
                  .metrics = &metrics_,
                  .now_ms = [this] { return now_ms(); },
                  .joined = [this](const WebRequest& request,
                                   const std::string& answer) { LogJoin(request, answer); }});
  WebLimits limits = options_.limits;
  const WebHeaders security = site::SecurityHeaders();
  limits.headers.insert(limits.headers.end(), security.begin(), security.end());
  ASSIGN_OR_RETURN(web_, WebServer::Make(listening_socket, std::move(limits),
                                         [this](std::shared_ptr<WebExchange> exchange) {
                                           Handle(std::move(exchange));
                                         }));
  const auto post = [this](std::function<void()> errand) { Post(std::move(errand)); };
  ArenaStore* const store = restored_from_.get();
  const auto failed = [this](const absl::Status& why) { LogStoreError(why); };
  store_ = std::make_unique<LogThread>(std::move(restored_from_), post, failed);
  house_ = std::make_unique<HouseCrew>(options_.house, post);
  session_ = std::make_unique<Session>(
      options_.session,
      Session::Parts{
          .log = store_.get(),
          .house_bots = house_.get(),
          .now_ms = [this] { return now_ms(); },
          .random = RandomBytes,
          .rating = [this](std::string_view game,
                           std::string_view name) { return RatingOf(game, name); },
          .changed = [this](const Table& table, int64_t first,
                            const std::vector<Event>& events) { Changed(table, first, events); },
          .taken =
              [this](const Table& table) {
                if (table.is_over()) End(table);
              },
          .check_may_sit = [this](const Occupant& player) { return CheckMaySit(player.name); },
          .is_muted = [this](const Occupant& player) { return bans_.IsMuted(player.name); },
          .answered = [this](const Reply& reply) { Count(reply); }});
  const StoreAccess access{
      .run = [this](std::function<void(ArenaStore&)> task) { store_->Run(std::move(task)); },
      .post = post,
      .failed = failed};
  accounts_ = std::make_unique<Accounts>(Accounts::Parts{
      .store = access,
      .now_ms = [this] { return now_ms(); },
      .random = RandomBytes,
      .is_bot = IsBotName,
      .check_allowed = [this](const std::string& name) { return CheckMaySit(name); }});
  v1_ = std::make_unique<ApiV1>(ApiV1::Parts{
      .session = session_.get(),
      .settings = options_.table,
      .results = [this] { return results_; },
      .check_free = [this](const std::string& name,
                           auto done) { accounts_->CheckFree(name, std::move(done)); }});
  reader_ = std::make_unique<site::StoreReader>(options_.open_results);
  slow_reader_ = std::make_unique<site::StoreReader>(options_.open_results);
  site_ = std::make_unique<site::SiteApi>(*reader_, *slow_reader_, post);
  v2_ = std::make_unique<ApiV2>(PartsOfV2(access), site_->EntriesForArena());
  operator_ = std::make_unique<ApiOperator>(ApiOperator::Parts{
      .session = session_.get(),
      .bans = &bans_,
      .accounts = accounts_.get(),
      .store = access,
      .now_ms = [this] { return now_ms(); },
      .is_operator = options_.is_operator,
      .log =
          [this](std::string_view done, const std::string& what) {
            log_({.event = "operator", .message = done, .fields = {{"what", what}}});
          }});
  gate_->SetRoutes({&v2_->routes(), &ApiV1::Routes(), &ApiOperator::Routes()});
  // The thread has nothing to do yet, so the store may be used here.
  ASSIGN_OR_RETURN(std::vector<Ban> bans, store->Bans());
  bans_.Set(std::move(bans));
  RETURN_IF_ERROR(Restore(*store));
  return options_.join_peers ? JoinPeers() : absl::OkStatus();
}

absl::Status ArenaServer::Restore(ArenaStore& store) {
  ASSIGN_OR_RETURN(const std::vector<TableSize> tables,
                   store.Tables(now_ms() - options_.session.kept_ms));
  for (const TableSize& table : tables) {
    const absl::StatusOr<std::vector<Event>> events = store.Events(table.table, 0);
    const absl::Status restored =
        events.ok() ? session_->Restore(table.table, *events) : events.status();
    if (absl::IsDataLoss(restored)) {
      log_(Warning("restore", "A table cannot go on.", std::string(restored.message())));
    } else {
      RETURN_IF_ERROR(restored);
    }
  }
  // The last server may have ended before it recorded these.
  session_->Visit([this](const Table& table) {
    if (table.is_over() && session_->Runs(table.id())) End(table);
  });
  return absl::OkStatus();
}

// ---- Other arenas.

absl::Status ArenaServer::JoinPeers() {
  ArenaPeers::News news{
      .appended = [this](const std::string& table,
                         int64_t events) { Post([=, this] { session_->Heard(table, events); }); },
      .recorded = [this] { Post([this] { are_results_old_ = true; }); },
      .leased = [this](const Lease& lease) { Post([=, this] { session_->Lead(lease); }); },
      .connected =
          [this] {
            Post([this] {
              if (std::exchange(are_peers_lost_, false)) {
                log_({.event = "peers", .message = "Other arenas are heard again."});
              }
              CatchUp();
            });
          },
      .lost =
          [this](const absl::Status& why) {
            Post([this, why] {
              if (std::exchange(are_peers_lost_, true)) return;
              log_(Warning("peers", "Other arenas are not heard.", std::string(why.message())));
            });
          }};
  ASSIGN_OR_RETURN(peers_, options_.join_peers(std::move(news)));
  return absl::OkStatus();
}

void ArenaServer::CatchUp() {
  store_->Run([this, after_ms = now_ms() - options_.session.kept_ms](ArenaStore& store) {
    const absl::StatusOr<std::vector<TableSize>> tables = store.Tables(after_ms);
    Post([this, tables] {
      if (!tables.ok()) {
        log_(Warning("peers", "The tables cannot be read; trying again.",
                     std::string(tables.status().message())));
        return web_->After(kTick, [this] { CatchUp(); });
      }
      for (const TableSize& table : *tables) session_->Heard(table.table, table.events);
    });
  });
}

V2Parts ArenaServer::PartsOfV2(StoreAccess access) {
  V2Parts parts{.session = session_.get(),
                .log = store_.get(),
                .accounts = accounts_.get(),
                .store = std::move(access),
                .now_ms = [this] { return now_ms(); },
                .settings = {},
                .bots = {},
                .check_bot = CheckHouseBotFor,
                .results = [this] { return results_; }};
  parts.settings.fill_ms = options_.table.fill_ms;
  parts.settings.move_ms = options_.table.move_ms;
  for (const BundledBot* const bot : Searchers()) {
    parts.bots.push_back({std::string(bot->name), std::string(bot->description)});
  }
  return parts;
}

double ArenaServer::RatingOf(std::string_view game, std::string_view name) const {
  const auto found = results_->find(std::string(game));
  if (found == results_->end()) return 0;
  const PlayerResults* const player = found->second.FindRated(std::string(name));
  return player == nullptr ? 0 : player->rating.value_or(0);
}

void ArenaServer::Run() {
  Tick();
  web_->Run();
}

void ArenaServer::Stop() {
  Post([this] {
    web_->StopAccepting();
    v2_->End();
    EndWhenIdle(kEndPolls);
  });
}

void ArenaServer::EndWhenIdle(int64_t tries_left) {
  if (web_->busy_count() == 0 || tries_left == 0) return web_->Stop();
  web_->After(kEndPoll, [this, tries_left] { EndWhenIdle(tries_left - 1); });
}

void ArenaServer::Tick() {
  session_->Tick();
  v2_->Tick();
  if (ticks_++ % kTicksPerSweep == 0) {
    v1_->Sweep();
    RecordAgain();
    RenewResults();
    ReloadBans();
    SetGauges();
  }
  web_->After(kTick, [this] { Tick(); });
}

void ArenaServer::Changed(const Table& table, int64_t first, const std::vector<Event>& events) {
  metrics_.Changed(table, events);
  v1_->Changed(table, events);
  v2_->Changed(table, first, events);
  if (table.is_over() && session_->Runs(table.id())) End(table);
}

void ArenaServer::SetGauges() {
  ArenaMetrics::Gauges gauges{.connections = web_->connection_count(),
                              .spectators = v1_->stream_count() + v2_->stream_count()};
  for (const GameInfo* const game : AllGames()) gauges.tables[std::string(game->name)] = {};
  session_->Visit([&](const Table& table) {
    ++gauges.tables[std::string(table.info().name)][static_cast<size_t>(table.stage())];
  });
  metrics_.Set(gauges);
}

void ArenaServer::ReloadBans() {
  // Another arena with the same store may have changed them.
  store_->Run([this](ArenaStore& store) {
    Post([this, bans = store.Bans()] {
      if (bans.ok()) return bans_.Set(*bans);
      metrics_.StoreFailed();
      log_(Warning("bans", "The bans cannot be read.", std::string(bans.status().message())));
    });
  });
}

absl::Status ArenaServer::CheckMaySit(const std::string& name) {
  absl::Status status = bans_.CheckName(name);
  if (!status.ok()) metrics_.CountRefusal("blocked");
  return status;
}

void ArenaServer::Count(const Reply& reply) {
  if (reply.refusal) metrics_.Count(reply.refusal->why);
  if (!reply.error.ok() && StatusCode(reply.error) >= 500) metrics_.StoreFailed();
}

void ArenaServer::LogJoin(const WebRequest& request, const std::string& answer) {
  if (request.is_loopback) return;
  const ApiJson json = ApiJson::parse(answer, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return;
  const ApiJson table = json.value("table", json.value("game_id", ApiJson()));
  if (!table.is_string()) return;
  log_({.event = "join",
        .message = "A player has taken a seat.",
        .fields = {{"table", table.get<std::string>()}, {"client", request.client}}});
}

void ArenaServer::LogStoreError(const absl::Status& why) {
  if (now_ms() < next_store_error_ms_) return;
  next_store_error_ms_ = now_ms() + kStoreErrorPauseMs;
  log_(Warning("store", "The database does not answer.", std::string(why.message())));
}

void ArenaServer::RenewResults() {
  const int64_t began_ms = now_ms();
  if (!are_results_old_ || is_reading_results_ || began_ms < results_not_before_ms_) return;
  are_results_old_ = false;
  is_reading_results_ = true;
  result_thread_ = std::jthread([this, began_ms] {
    absl::StatusOr<std::unique_ptr<Store>> store = options_.open_results();
    absl::StatusOr<Results> results =
        store.ok() ? ReadResults(**store) : absl::StatusOr<Results>(store.status());
    Post([this, began_ms, results = std::move(results)] {
      is_reading_results_ = false;
      results_not_before_ms_ = now_ms() + kResultsPause * (now_ms() - began_ms);
      if (results.ok()) {
        results_ = std::make_shared<const Results>(*results);
      } else {
        log_(Warning("results", "The results cannot be read.",
                     std::string(results.status().message())));
      }
    });
  });
}

void ArenaServer::Record(EndedTable ended) {
  store_->Run([this, ended = std::move(ended)](ArenaStore& store) {
    const absl::Status status = store.End(ended);
    if (!status.ok()) {
      log_(
          Warning("record", "A finished game is not recorded yet.", std::string(status.message())));
    }
    Post([this, ended, has_failed = !status.ok()] {
      are_results_old_ = true;
      if (!has_failed) return;
      metrics_.StoreFailed();
      unrecorded_.push_back(ended);
    });
  });
}

void ArenaServer::RecordAgain() {
  for (EndedTable& ended : std::exchange(unrecorded_, {})) Record(std::move(ended));
}

void ArenaServer::Handle(std::shared_ptr<WebExchange> exchange) {
  exchange = gate_->Enter(exchange);
  if (exchange == nullptr) return;
  if (exchange->request().method == "OPTIONS") return ReplyOptions(exchange);
  // The table may be one that another arena has opened a moment ago.
  const std::string table = TableOfRequest(exchange->request());
  if (table.empty()) return Dispatch(exchange);
  session_->Lookup(table, [this, exchange](const absl::Status& status) {
    if (!status.ok() && !absl::IsNotFound(status)) return ReplyError(exchange, status);
    Dispatch(exchange);
  });
}

void ArenaServer::Dispatch(const std::shared_ptr<WebExchange>& exchange) {
  if (v1_->Handle(exchange) || operator_->Handle(exchange) || v2_->Handle(exchange) ||
      ShowAbout(exchange, {&v2_->routes(), &ApiV1::Routes(), &ApiOperator::Routes()}))
    return;
  if (exchange->request().path.starts_with("/api/")) {
    return ReplyDetail(exchange, 404, "there is no such page; see /llms.txt");
  }
  page_.Reply(exchange);
}

}  // namespace triarch::arena
