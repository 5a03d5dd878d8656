#include "arena/service/arena_server.h"

#include <openssl/rand.h>

#include <string>
#include <utility>
#include <vector>

#include "arena/api/about.h"
#include "arena/api/reply.h"
#include "arena/service/finished_game.h"
#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{100};
constexpr int64_t kTicksPerSweep = 50;

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
  if (page_thread_.joinable()) page_thread_.join();
  house_ = nullptr;
  store_ = nullptr;
  session_ = nullptr;
  v1_ = nullptr;
  web_ = nullptr;
}

int64_t ArenaServer::now_ms() const {
  return began_ms_ +
         std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_)
             .count();
}

absl::Status ArenaServer::Listen(int listening_socket) {
  ASSIGN_OR_RETURN(web_, WebServer::Make(listening_socket, options_.limits,
                                         [this](std::shared_ptr<WebExchange> exchange) {
                                           Handle(std::move(exchange));
                                         }));
  const auto post = [this](std::function<void()> errand) { Post(std::move(errand)); };
  ArenaStore* const store = restored_from_.get();
  store_ = std::make_unique<LogThread>(std::move(restored_from_), post);
  house_ = std::make_unique<HouseCrew>(options_.house, post);
  session_ = std::make_unique<Session>(
      options_.session,
      Session::Parts{
          .log = store_.get(),
          .house_bots = house_.get(),
          .now_ms = [this] { return now_ms(); },
          .random = RandomBytes,
          .changed = [this](const Table& table, int64_t /*first*/,
                            const std::vector<Event>& events) { Changed(table, events); }});
  v1_ = std::make_unique<ApiV1>(
      ApiV1::Parts{.session = session_.get(),
                   .settings = options_.table,
                   .leaderboard = [this] { return pages_.leaderboard; },
                   .colors = [this] { return pages_.colors; }});
  // The thread has nothing to do yet, so the store may be used here.
  ASSIGN_OR_RETURN(const std::vector<std::string> tables,
                   store->Tables(now_ms() - options_.session.kept_ms));
  for (const std::string& id : tables) {
    ASSIGN_OR_RETURN(const std::vector<Event> events, store->Events(id, 0));
    RETURN_IF_ERROR(session_->Restore(id, events));
  }
  // The last server may have ended before it recorded these.
  session_->Visit([this](const Table& table) {
    if (table.is_over()) End(table);
  });
  return absl::OkStatus();
}

void ArenaServer::Run() {
  Tick();
  web_->Run();
}

void ArenaServer::Stop() {
  Post([this] {
    web_->StopAccepting();
    EndWhenIdle(kEndPolls);
  });
}

void ArenaServer::EndWhenIdle(int64_t tries_left) {
  if (web_->busy_count() == 0 || tries_left == 0) return web_->Stop();
  web_->After(kEndPoll, [this, tries_left] { EndWhenIdle(tries_left - 1); });
}

void ArenaServer::Tick() {
  session_->Tick();
  if (ticks_++ % kTicksPerSweep == 0) {
    v1_->Sweep();
    RenewPages();
  }
  web_->After(kTick, [this] { Tick(); });
}

void ArenaServer::Changed(const Table& table, const std::vector<Event>& events) {
  v1_->Changed(table, events);
  if (!table.is_over()) return;
  End(table);
}

void ArenaServer::RenewPages() {
  if (!are_pages_old_ || is_reading_pages_) return;
  are_pages_old_ = false;
  is_reading_pages_ = true;
  page_thread_ = std::jthread([this] {
    absl::StatusOr<std::unique_ptr<Store>> store =
        OpenSqliteStore(options_.db, OpenMode::kReadOnly);
    absl::StatusOr<ResultPages> pages =
        store.ok() ? ReadResultPages(**store) : absl::StatusOr<ResultPages>(store.status());
    Post([this, pages = std::move(pages)] {
      is_reading_pages_ = false;
      if (pages.ok()) {
        pages_ = *pages;
      } else {
        log_(
            Warning("pages", "The results cannot be read.", std::string(pages.status().message())));
      }
    });
  });
}

void ArenaServer::End(const Table& table) {
  store_->Run([this, ended = EndedTableOf(table)](ArenaStore& store) {
    // The next start tries again.
    const absl::Status status = store.End(ended);
    Post([this] { are_pages_old_ = true; });
    if (!status.ok()) {
      log_(
          Warning("record", "A finished game is not recorded yet.", std::string(status.message())));
    }
  });
}

void ArenaServer::Handle(std::shared_ptr<WebExchange> exchange) {
  if (v1_->Handle(exchange) || ShowAbout(exchange)) return;
  ReplyDetail(exchange, 404, "there is no such page; see /llms.txt");
}

}  // namespace triarch::arena
