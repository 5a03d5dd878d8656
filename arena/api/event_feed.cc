#include "arena/api/event_feed.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "arena/api/v2_json.h"
#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

// Bytes of a table's history that are sent before the client has taken them.
constexpr size_t kChunk = 128 * 1024;

WebText SentEvent(int64_t n, std::string_view kind, const std::string& json) {
  return MakeWebText(
      absl::StrFormat("id: %d\nevent: %s\ndata: %s\n\n", n, std::string(kind), json));
}

}  // namespace

absl::StatusOr<TableHistory> HistoryOf(const std::string& table, const std::vector<Event>& events) {
  if (events.empty()) return absl::NotFoundError("there is no such table");
  TableHistory history;
  for (const Event& event : events) {
    if (!history.table) {
      ASSIGN_OR_RETURN(Table opened, Table::Open(table, event));
      history.table.emplace(std::move(opened));
    } else {
      RETURN_IF_ERROR(history.table->Apply(event));
    }
    history.kinds.emplace_back(ToString(event.kind));
    history.events.push_back(
        PublicEventJson(*history.table, static_cast<int64_t>(history.events.size()), event));
  }
  return history;
}

EventFeed::EventFeed(EventLog& log) : log_(log), is_alive_(std::make_shared<bool>(true)) {}

EventFeed::~EventFeed() { *is_alive_ = false; }

void EventFeed::Read(const std::string& table,
                     std::function<void(absl::StatusOr<TableHistory>)> done) const {
  log_.Load(table, 0,
            [alive = is_alive_, table, done](const absl::StatusOr<std::vector<Event>>& events) {
              if (!*alive) return;
              if (!events.ok()) return done(events.status());
              done(HistoryOf(table, *events));
            });
}

void EventFeed::Follow(const std::string& table, std::shared_ptr<WebStream> stream, Form form,
                       int64_t next) {
  Followers& followers = followers_[table];
  const auto place = followers.insert(
      followers.end(),
      std::make_shared<Follower>(Follower{.stream = stream, .form = form, .next = next}));
  stream->OnClose([this, table, place] {
    const auto found = followers_.find(table);
    if (found == followers_.end()) return;
    found->second.erase(place);
    if (found->second.empty()) followers_.erase(found);
  });
  Catch(table, {*place});
}

// What is stored meanwhile is either in the answer, or reported by `Changed` after the answer. The
// rest of a long history is read once the client has taken the first part.
void EventFeed::Catch(const std::string& table, std::vector<std::shared_ptr<Follower>> followers) {
  for (const std::shared_ptr<Follower>& follower : followers) follower->is_reading = true;
  Read(table, [this, table,
               followers = std::move(followers)](const absl::StatusOr<TableHistory>& history) {
    for (const std::shared_ptr<Follower>& follower : followers) {
      if (!history.ok()) {
        follower->stream->Close();
      } else {
        SendHistory(table, *history, follower);
      }
    }
  });
}

void EventFeed::SendHistory(const std::string& table, const TableHistory& history,
                            const std::shared_ptr<Follower>& follower) {
  const auto size = static_cast<int64_t>(history.events.size());
  size_t sent = 0;
  for (; follower->next < size && follower->stream->is_open(); ++follower->next) {
    if (sent >= kChunk) {
      return follower->stream->OnDrained([this, alive = is_alive_, table, follower] {
        if (*alive) Catch(table, {follower});
      });
    }
    const auto n = static_cast<size_t>(follower->next);
    sent += history.events[n].size();
    follower->stream->Send(follower->form == Form::kTexts
                               ? MakeWebText(history.events[n])
                               : SentEvent(follower->next, history.kinds[n], history.events[n]));
  }
  follower->is_reading = false;
}

void EventFeed::Changed(const Table& table, int64_t first, const std::vector<Event>& events) {
  const auto found = followers_.find(table.id());
  if (found == followers_.end()) return;
  const Followers followers = found->second;  // a stream that closes leaves the list
  // Only the table after the last event is at hand.
  const bool is_one = events.size() == 1;
  WebText text;
  WebText sent;
  if (is_one) {
    const std::string json = PublicEventJson(table, first, events[0]);
    text = MakeWebText(json);
    sent = SentEvent(first, ToString(events[0].kind), json);
  }
  std::vector<std::shared_ptr<Follower>> behind;
  for (const std::shared_ptr<Follower>& follower : followers) {
    if (follower->is_reading) continue;
    if (is_one && follower->next == first) {
      ++follower->next;
      follower->stream->Send(follower->form == Form::kTexts ? text : sent);
    } else if (follower->next < first + static_cast<int64_t>(events.size())) {
      behind.push_back(follower);
    }
  }
  if (!behind.empty()) Catch(table.id(), std::move(behind));
}

void EventFeed::SendComments() {
  const WebText comment = MakeWebText(":\n\n");
  std::vector<std::shared_ptr<WebStream>> streams;
  for (const auto& [table, followers] : followers_) {
    for (const std::shared_ptr<Follower>& follower : followers) {
      if (follower->form == Form::kServerSentEvents) streams.push_back(follower->stream);
    }
  }
  for (const std::shared_ptr<WebStream>& stream : streams) stream->Send(comment);
}

void EventFeed::CloseGone(const std::function<bool(const std::string& table)>& is_there) {
  std::vector<std::shared_ptr<WebStream>> streams;
  for (const auto& [table, followers] : followers_) {
    if (is_there(table)) continue;
    for (const std::shared_ptr<Follower>& follower : followers) streams.push_back(follower->stream);
  }
  for (const std::shared_ptr<WebStream>& stream : streams) stream->Close();
}

size_t EventFeed::stream_count() const {
  size_t count = 0;
  for (const auto& [table, followers] : followers_) count += followers.size();
  return count;
}

}  // namespace triarch::arena
