#include "arena/api/operator.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/api/v2_json.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr std::string_view kBase = "/api/v2/operator";
constexpr size_t kNoteMax = 500;     // bytes
constexpr size_t kBansMax = 10'000;  // each join looks through them

ApiJson BanJson(const Ban& ban) {
  return {{"kind", ToString(ban.kind)},
          {"what", ban.what},
          {"note", ban.note},
          {"since", TimeText(ban.since_ms)}};
}

// Reads whom a request to block or unblock names.
absl::StatusOr<Ban> ReadBlock(const Body& body) {
  ASSIGN_OR_RETURN(const std::string name, body.Text("name"));
  ASSIGN_OR_RETURN(const std::string address, body.Text("address"));
  if (name.empty() == address.empty()) {
    return absl::InvalidArgumentError("expected either name or address");
  }
  Ban ban{.kind = name.empty() ? Ban::Kind::kAddress : Ban::Kind::kName, .what = ""};
  ASSIGN_OR_RETURN(ban.what, Bans::CheckWhat(ban.kind, name + address));
  return ban;
}

absl::StatusOr<Ban> ReadMute(const Body& body) {
  ASSIGN_OR_RETURN(const std::string name, body.RequiredText("name"));
  ASSIGN_OR_RETURN(const std::string what, Bans::CheckWhat(Ban::Kind::kMute, name));
  return Ban{.kind = Ban::Kind::kMute, .what = what};
}

}  // namespace

const std::vector<ApiOperator::Entry>& ApiOperator::Entries() {
  static const std::vector<Entry> kEntries = {
      {{"GET", "/api/v2/operator/bans", "what is blocked and muted", Secret::kOperator},
       &ApiOperator::ListBans},
      {{"POST", "/api/v2/operator/block", "block names or addresses", Secret::kOperator,
        "name address note"},
       &ApiOperator::Block},
      {{"POST", "/api/v2/operator/unblock", "lift a block", Secret::kOperator, "name address"},
       &ApiOperator::Unblock},
      {{"POST", "/api/v2/operator/mute", "drop what players say", Secret::kOperator, "name note"},
       &ApiOperator::Mute},
      {{"POST", "/api/v2/operator/unmute", "let players speak again", Secret::kOperator, "name"},
       &ApiOperator::Unmute},
      {{"POST", "/api/v2/operator/close", "end a table without a result", Secret::kOperator,
        "table"},
       &ApiOperator::Close},
      {{"POST", "/api/v2/operator/remove", "take a player from a table", Secret::kOperator,
        "table seat"},
       &ApiOperator::Remove},
      {{"POST", "/api/v2/operator/key", "give a player a new key", Secret::kOperator, "name"},
       &ApiOperator::ReplaceKey},
  };
  return kEntries;
}

const std::vector<Route>& ApiOperator::Routes() {
  static const std::vector<Route> kRoutes = [] {
    std::vector<Route> routes;
    for (const Entry& entry : Entries()) routes.push_back(entry.route);
    return routes;
  }();
  return kRoutes;
}

bool ApiOperator::Handle(const Exchange& exchange) {
  const WebRequest& request = exchange->request();
  if (!request.path.starts_with(kBase)) return false;
  if (!parts_.is_operator || !parts_.is_operator(request.authorization)) {
    ReplyDetail(exchange, 401, "show an operator's token: Authorization: Bearer TOKEN");
    return true;
  }
  const std::optional<FoundRoute> found = FindRoute(Routes(), exchange);
  if (!found) return true;
  const Entry& entry = Entries()[found->index];
  const absl::StatusOr<Body> body = Body::Read(request);
  absl::Status read = body.status();
  if (read.ok()) read = body->CheckMembers(NamesOf(entry.route.fields));
  if (!read.ok()) {
    ReplyError(exchange, read);
  } else {
    (this->*entry.handler)(exchange, *body);
  }
  return true;
}

// ---- Bans.

void ApiOperator::ListBans(const Exchange& exchange, const Body&) {
  ApiJson json = ApiJson::array();
  for (const Ban& ban : parts_.bans->all()) json.push_back(BanJson(ban));
  ReplyJson(exchange, 200, ToText({{"bans", json}}));
}

void ApiOperator::Block(const Exchange& exchange, const Body& body) {
  absl::StatusOr<Ban> ban = ReadBlock(body);
  if (!ban.ok()) return ReplyError(exchange, ban.status());
  Add(exchange, body, *std::move(ban));
}

void ApiOperator::Unblock(const Exchange& exchange, const Body& body) {
  const absl::StatusOr<Ban> ban = ReadBlock(body);
  if (!ban.ok()) return ReplyError(exchange, ban.status());
  Lift(exchange, *ban);
}

void ApiOperator::Mute(const Exchange& exchange, const Body& body) {
  absl::StatusOr<Ban> ban = ReadMute(body);
  if (!ban.ok()) return ReplyError(exchange, ban.status());
  Add(exchange, body, *std::move(ban));
}

void ApiOperator::Unmute(const Exchange& exchange, const Body& body) {
  const absl::StatusOr<Ban> ban = ReadMute(body);
  if (!ban.ok()) return ReplyError(exchange, ban.status());
  Lift(exchange, *ban);
}

void ApiOperator::Add(const Exchange& exchange, const Body& body, Ban ban) {
  const absl::StatusOr<std::string> note = body.Text("note");
  if (!note.ok()) return ReplyError(exchange, note.status());
  if (note->size() > kNoteMax)
    return ReplyDetail(exchange, 422, "note: expected at most 500 bytes");
  if (parts_.bans->all().size() >= kBansMax) {
    return ReplyDetail(exchange, 409, "there are too many bans; lift some, or use patterns");
  }
  ban.note = *note;
  ban.since_ms = parts_.now_ms();
  const auto add = [ban](ArenaStore& store) -> absl::StatusOr<std::vector<Ban>> {
    RETURN_IF_ERROR(store.AddBan(ban));
    return store.Bans();
  };
  parts_.store.Do(add, [this, exchange, ban](const absl::StatusOr<std::vector<Ban>>& bans) {
    if (!bans.ok()) return ReplyError(exchange, bans.status());
    parts_.bans->Set(*bans);
    parts_.log("An operator has added a ban.", std::string(ToString(ban.kind)) + " " + ban.what);
    ReplyJson(exchange, 200, ToText(BanJson(ban)));
  });
}

void ApiOperator::Lift(const Exchange& exchange, const Ban& ban) {
  const auto lift = [ban](ArenaStore& store) -> absl::StatusOr<std::vector<Ban>> {
    RETURN_IF_ERROR(store.RemoveBan(ban.kind, ban.what));
    return store.Bans();
  };
  parts_.store.Do(lift, [this, exchange, ban](const absl::StatusOr<std::vector<Ban>>& bans) {
    if (!bans.ok()) return ReplyError(exchange, bans.status());
    parts_.bans->Set(*bans);
    parts_.log("An operator has lifted a ban.", std::string(ToString(ban.kind)) + " " + ban.what);
    ReplyJson(exchange, 200, ToText({{"kind", ToString(ban.kind)}, {"what", ban.what}}));
  });
}

// ---- Tables.

void ApiOperator::Close(const Exchange& exchange, const Body& body) {
  const absl::StatusOr<std::string> table = body.RequiredText("table");
  if (!table.ok()) return ReplyError(exchange, table.status());
  Decide(exchange, "An operator has closed a table.", *table,
         [](const Table& at, int64_t now_ms) { return at.Close(now_ms); });
}

void ApiOperator::Remove(const Exchange& exchange, const Body& body) {
  const absl::StatusOr<std::string> table = body.RequiredText("table");
  const absl::StatusOr<std::string> word = body.RequiredText("seat");
  if (!table.ok() || !word.ok()) {
    return ReplyError(exchange, table.ok() ? word.status() : table.status());
  }
  Decide(exchange, "An operator has removed a player.", *table,
         [word = *word](const Table& at, int64_t now_ms) {
           const auto refuse = [](std::string why) {
             return Decision{.refusal = Refusal{Refused::kInvalid, std::move(why)}};
           };
           const std::optional<Seat> seat = ParseSeat(at.info(), word);
           if (!seat) return refuse("seat: the game has no seat " + Quote(word));
           const std::optional<Occupant>& occupant = at.occupant(*seat);
           if (!occupant || occupant->is_house_bot()) return refuse("seat: no player has it");
           return at.Resign({.seat = *seat}, now_ms);
         });
}

void ApiOperator::ReplaceKey(const Exchange& exchange, const Body& body) {
  const absl::StatusOr<std::string> name = body.RequiredText("name");
  if (!name.ok()) return ReplyError(exchange, name.status());
  parts_.accounts->Replace(*name, [this, exchange, name](const absl::StatusOr<std::string>& key) {
    if (!key.ok()) return ReplyError(exchange, key.status());
    parts_.log("An operator has replaced a player's key.", *name);
    ReplyJson(exchange, 200, ToText({{"name", *name}, {"key", *key}}));
  });
}

void ApiOperator::Decide(const Exchange& exchange, std::string_view done, const std::string& table,
                         Session::Decide decide) {
  const auto answer = [this, exchange, done, table](const Reply& reply) {
    if (!reply.ok()) return ReplyFailure(exchange, reply);
    parts_.log(done, table);
    const ApiJson json = {{"table", table}, {"stage", StageName(reply.table->stage())}};
    ReplyJson(exchange, 200, ToText(json));
  };
  parts_.session->Lookup(table, [this, exchange, table, decide = std::move(decide),
                                 answer](const absl::Status& found) {
    if (!found.ok()) return ReplyError(exchange, found);
    parts_.session->Request(table, decide, answer);
  });
}

}  // namespace triarch::arena
