#include "arena/api/v2.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "arena/api/v2_json.h"

namespace triarch::arena {
namespace {

// Proxies cut streams that are quiet for a minute.
constexpr int64_t kCommentMs = 20'000;

}  // namespace

ApiV2::ApiV2(V2Parts parts, const std::vector<V2Entry>& more)
    : parts_(std::move(parts)),
      feed_(*parts_.log),
      play_(parts_, polls_),
      watch_(parts_, feed_, polls_),
      look_(parts_) {
  for (const std::vector<V2Entry>& entries : {play_.Entries(), watch_.Entries(), look_.Entries()}) {
    entries_.insert(entries_.end(), entries.begin(), entries.end());
  }
  std::copy_if(more.begin(), more.end(), std::back_inserter(entries_),
               [this](const V2Entry& entry) {
                 return std::none_of(entries_.begin(), entries_.end(), [&](const V2Entry& known) {
                   return known.route.path == entry.route.path;
                 });
               });
  for (const V2Entry& entry : entries_) routes_.push_back(entry.route);
}

bool ApiV2::Handle(const Exchange& exchange) {
  if (!exchange->request().path.starts_with("/api/v2")) return false;
  std::optional<FoundRoute> found = FindRoute(routes_, exchange);
  if (!found) return true;
  const V2Entry& entry = entries_[found->index];
  const bool needs_secret =
      entry.route.secret == Secret::kToken || entry.route.secret == Secret::kKey;
  if (needs_secret && BearerToken(exchange->request()).empty()) {
    ReplyDetail(exchange, 401,
                entry.route.secret == Secret::kToken
                    ? "show the token of your seat: Authorization: Bearer TOKEN"
                    : "show your key: Authorization: Bearer KEY");
    return true;
  }
  entry.handle({exchange, std::move(found->parameters), entry.route});
  return true;
}

void ApiV2::Changed(const Table& table, int64_t first, const std::vector<Event>& events) {
  feed_.Changed(table, first, events);
  polls_.Changed(table.id());
}

void ApiV2::Tick() {
  const int64_t now_ms = parts_.now_ms();
  polls_.Tick(now_ms);
  if (now_ms - commented_ms_ < kCommentMs) return;
  commented_ms_ = now_ms;
  feed_.CloseGone([this](const std::string& table) {
    const Table* const there = parts_.session->Find(table);
    return there != nullptr && there->stage() != Table::Stage::kClosed;
  });
  feed_.SendComments();
}

absl::StatusOr<std::vector<std::string>> NotationsOf(
    const std::map<std::string, std::string>& query, const std::string& game) {
  const auto found = query.find("notations");
  return ParseNotations(game, found == query.end() ? "" : found->second);
}

}  // namespace triarch::arena
