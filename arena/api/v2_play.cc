#include "arena/api/v2_play.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/v2_json.h"
#include "core/base/counted.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/spec_words.h"

namespace triarch::arena {
namespace {

constexpr int64_t kFillSecondsMax = 3'600;
constexpr int64_t kMoveSecondsMax = 86'400;
constexpr size_t kSecretDigits = 32;
// Players need a moment to agree on a rematch.
constexpr int64_t kRematchMsMin = 60'000;

absl::StatusOr<PlayerType> ReadType(const Body& body) {
  ASSIGN_OR_RETURN(const std::string type, body.Text("type"));
  for (const PlayerType one : {PlayerType::kHuman, PlayerType::kLlm, PlayerType::kBot}) {
    if (type == ToString(one)) return one;
  }
  if (type.empty()) return PlayerType::kBot;
  return absl::InvalidArgumentError("type: expected human, llm or bot");
}

absl::Status ReadSeconds(const Body& body, const char* key, int64_t min, int64_t max,
                         int64_t* milliseconds) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> seconds, body.Number(key));
  if (!seconds) return absl::OkStatus();
  if (*seconds < min || *seconds > max) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: expected %d to %d", std::string(key), min, max));
  }
  *milliseconds = *seconds * 1'000;
  return absl::OkStatus();
}

bool IsHex(std::string_view text) {
  return text.size() == kSecretDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Puts the seats in which the player has played least first.
std::vector<Seat> BalancedSeats(const GameInfo& game, const PlayerResults* results) {
  std::vector<Seat> seats;
  for (size_t i = 0; i < game.seats; ++i) seats.push_back(SeatAt(i));
  if (results == nullptr) return {};
  std::stable_sort(seats.begin(), seats.end(),
                   [&](Seat a, Seat b) { return results->seats[a] < results->seats[b]; });
  return seats;
}

}  // namespace

std::vector<V2Entry> V2Play::Entries() {
  return {
      {{"POST", "/api/v2/join", "take a seat", Secret::kMaybeKey,
        "game name type model seat opponents:texts rated:boolean position draws table "
        "fill_seconds:integer move_seconds:integer secret"},
       [this](const V2Call& call) { Join(call); }},
      {{"GET", "/api/v2/turn", "your turn, as soon as it comes", Secret::kToken, "",
        "wait notations"},
       [this](const V2Call& call) { ShowTurn(call); }},
      {{"POST", "/api/v2/move", "play a move", Secret::kToken, "move ply:integer message"},
       [this](const V2Call& call) { Move(call); }},
      {{"POST", "/api/v2/resign", "leave the game", Secret::kToken},
       [this](const V2Call& call) { Resign(call); }},
      {{"POST", "/api/v2/leave", "leave the table before the game", Secret::kToken},
       [this](const V2Call& call) { Leave(call); }},
      {{"POST", "/api/v2/say", "write to the chat", Secret::kToken, "message"},
       [this](const V2Call& call) { Say(call); }},
      {{"POST", "/api/v2/claim", "claim a draw", Secret::kToken},
       [this](const V2Call& call) { ClaimDraw(call); }},
      {{"POST", "/api/v2/fill", "let house bots take the empty seats", Secret::kToken},
       [this](const V2Call& call) { Fill(call); }},
      {{"POST", "/api/v2/rematch", "take a seat at the rematch", Secret::kToken},
       [this](const V2Call& call) { Rematch(call); }},
  };
}

// ---- Joining.

void V2Play::Join(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const auto body = std::make_shared<absl::StatusOr<Body>>(Body::Read(exchange->request()));
  if (body->ok()) {
    const absl::Status members = (*body)->CheckMembers(NamesOf(call.route.fields));
    if (!members.ok()) *body = members;
  }
  if (!body->ok()) return ReplyError(exchange, body->status());
  const absl::StatusOr<std::string> table = (*body)->Text("table");
  if (!table.ok()) return ReplyError(exchange, table.status());
  if (table->empty()) return JoinAs(exchange, body);
  parts_.session->Lookup(*table, [this, exchange, body](const absl::Status& found) {
    if (!found.ok()) return ReplyError(exchange, found);
    JoinAs(exchange, body);
  });
}

void V2Play::JoinAs(const Exchange& exchange, const std::shared_ptr<absl::StatusOr<Body>>& body) {
  const std::string key = BearerToken(exchange->request());
  if (!key.empty()) {
    return parts_.accounts->Find(
        key, [this, exchange, body](const absl::StatusOr<StoredPlayer>& player) {
          if (!player.ok()) return ReplyError(exchange, player.status());
          absl::StatusOr<JoinAsk> ask = ReadJoin(**body, &*player);
          if (!ask.ok()) return ReplyError(exchange, ask.status());
          Sit(exchange, *std::move(ask));
        });
  }
  absl::StatusOr<JoinAsk> ask = ReadJoin(**body, nullptr);
  if (!ask.ok()) return ReplyError(exchange, ask.status());
  const std::string name = ask->occupant.name;
  parts_.accounts->CheckFree(name,
                             [this, exchange, ask = *std::move(ask)](const absl::Status& is_free) {
                               if (!is_free.ok()) return ReplyError(exchange, is_free);
                               Sit(exchange, ask);
                             });
}

absl::StatusOr<JoinAsk> V2Play::ReadJoin(const Body& body, const StoredPlayer* player) const {
  JoinAsk ask{.occupant = {}, .settings = parts_.settings};
  ASSIGN_OR_RETURN(const std::string name, body.Text("name"));
  if (player != nullptr) {
    if (!name.empty() && name != player->name) {
      return absl::InvalidArgumentError("name: the key is that of " + player->name);
    }
    ask.occupant.name = player->name;
    ask.occupant.is_claimed = true;
    ask.occupant.owner = player->owner;
  } else {
    ASSIGN_OR_RETURN(ask.occupant.name, CheckName(name));
  }
  ASSIGN_OR_RETURN(ask.occupant.type, ReadType(body));
  ASSIGN_OR_RETURN(const std::string model, body.Text("model"));
  if (!model.empty()) {
    ASSIGN_OR_RETURN(ask.occupant.model, CheckName(model));
  }
  ASSIGN_OR_RETURN(ask.secret, body.Text("secret"));
  if (!ask.secret.empty() && !IsHex(ask.secret)) {
    return absl::InvalidArgumentError("secret: expected 32 digits from 0 to 9 and a to f");
  }
  ASSIGN_OR_RETURN(const std::string game, body.Text("game"));
  ASSIGN_OR_RETURN(ask.table, body.Text("table"));
  std::string seats_of = game;
  bool is_rated = false;
  if (!ask.table.empty()) {
    const Table* const table = parts_.session->Find(ask.table);
    if (table == nullptr) return absl::NotFoundError("there is no such table");
    if (!game.empty() && game != table->info().name) {
      return absl::InvalidArgumentError("game: the table plays " + std::string(table->info().name));
    }
    seats_of = table->info().name;
    is_rated = table->settings().is_rated;
  } else if (game.empty()) {
    return absl::InvalidArgumentError("game: expected triumvirate, three-way or tri-d");
  }
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(seats_of));
  ask.settings.game = std::string(info->name);
  if (ask.table.empty()) {
    RETURN_IF_ERROR(ReadSettings(body, player != nullptr, ask.settings));
    is_rated = ask.settings.is_rated;
  }
  ASSIGN_OR_RETURN(const std::string seat, body.Text("seat"));
  if (!seat.empty()) {
    const std::optional<Seat> wish = ParseSeat(*info, seat);
    if (!wish) return absl::InvalidArgumentError("seat: the game has no seat " + Quote(seat));
    ask.wishes = {*wish};
  }
  if (is_rated) {
    const std::shared_ptr<const Results> results = parts_.results();
    const auto found = results->find(ask.settings.game);
    ask.wishes = BalancedSeats(
        *info, found == results->end() ? nullptr : found->second.FindRated(ask.occupant.name));
  }
  return ask;
}

absl::Status V2Play::ReadSettings(const Body& body, bool is_claimed,
                                  TableSettings& settings) const {
  RETURN_IF_ERROR(ReadSeconds(body, "fill_seconds", 0, kFillSecondsMax, &settings.fill_ms));
  RETURN_IF_ERROR(ReadSeconds(body, "move_seconds", 1, kMoveSecondsMax, &settings.move_ms));
  const bool has_times =
      settings.fill_ms != parts_.settings.fill_ms || settings.move_ms != parts_.settings.move_ms;
  ASSIGN_OR_RETURN(const std::string draws, body.Text("draws"));
  if (!draws.empty()) {
    const std::optional<Draws> parsed = ParseDraws(draws);
    if (!parsed) return absl::InvalidArgumentError("draws: expected automatic or claimed");
    settings.draws = *parsed;
  }
  ASSIGN_OR_RETURN(const std::string position, body.Text("position"));
  if (!position.empty()) {
    const absl::StatusOr<AnyState> start = AnyState::Parse(settings.game, position);
    if (!start.ok()) {
      return absl::InvalidArgumentError("position: " + std::string(start.status().message()));
    }
    settings.position = start->ToString();
  }
  bool is_anyone = true;
  RETURN_IF_ERROR(ReadOpponents(body, &is_anyone, settings));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(settings.game));
  const bool can_rate = is_claimed && is_anyone && position.empty() &&
                        settings.draws == Draws::kAutomatic && parts_.session->has_bots_for(*info);
  ASSIGN_OR_RETURN(const std::optional<bool> rated, body.Flag("rated"));
  settings.is_rated = rated.value_or(can_rate && !has_times);
  if (settings.is_rated && (!can_rate || has_times)) {
    return absl::InvalidArgumentError(
        "rated: needs a key, opponents \"anyone\", the arena's own times, start and draws, and "
        "enough house bots");
  }
  return absl::OkStatus();
}

absl::Status V2Play::ReadOpponents(const Body& body, bool* is_anyone,
                                   TableSettings& settings) const {
  ASSIGN_OR_RETURN(const std::optional<std::vector<std::string>> bots, body.List("opponents"));
  if (!bots) {
    ASSIGN_OR_RETURN(const std::string opponents, body.Text("opponents"));
    settings.is_private = opponents == "private";
    *is_anyone = opponents.empty() || opponents == "anyone";
    if (*is_anyone || settings.is_private) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "opponents: expected \"anyone\", \"private\" or a list of house bots");
  }
  *is_anyone = false;
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(settings.game));
  if (bots->size() != info->seats - 1) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "opponents: expected %s, one for each other seat", Counted(info->seats - 1, "house bot")));
  }
  ASSIGN_OR_RETURN(const std::string seat, body.Text("seat"));
  const Seat own = ParseSeat(*info, seat).value_or(Seat::kFirst);
  size_t next = 0;
  for (size_t i = 0; i < info->seats; ++i) {
    if (SeatAt(i) == own) continue;
    const std::string& word = (*bots)[next++];
    if (const absl::Status bot = parts_.check_bot(settings.game, word); !bot.ok()) {
      return absl::InvalidArgumentError("opponents: " + std::string(bot.message()));
    }
    settings.house_bots[SeatAt(i)] = word;
  }
  return absl::OkStatus();
}

void V2Play::Sit(const Exchange& exchange, JoinAsk ask) {
  ask.client = ClientOf(exchange->request());
  parts_.session->Join(std::move(ask), [exchange](const Reply& reply) {
    if (!reply.ok()) return ReplyFailure(exchange, reply);
    const ApiJson json = {{"token", reply.token},
                          {"table", reply.table->id()},
                          {"seat", SeatWord(reply.table->info(), reply.seat)},
                          {"stage", StageName(reply.table->stage())}};
    ReplyJson(exchange, 200, ToText(json));
  });
}

// ---- Playing.

void V2Play::FindSeat(const Exchange& exchange, const WithSeat& then) {
  const Session::Seated seated = parts_.session->FindToken(BearerToken(exchange->request()));
  if (seated.table == nullptr) return ReplyDetail(exchange, 401, "no seat has this token");
  then(*seated.table, seated.holder);
}

void V2Play::ShowTurn(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const std::map<std::string, std::string> query = QueryOf(exchange->request());
  const absl::StatusOr<int64_t> wait = NumberOf(query, "wait", kWaitMaxMs / 1'000, 0);
  if (!wait.ok()) return ReplyError(exchange, wait.status());
  FindSeat(exchange, [&](const Table& table, const Table::Holder&) {
    const absl::StatusOr<std::vector<std::string>> notations =
        NotationsOf(query, std::string(table.info().name));
    if (!notations.ok()) return ReplyError(exchange, notations.status());
    const int64_t now_ms = parts_.now_ms();
    const auto answer = [this, exchange, notations = *notations,
                         token = BearerToken(exchange->request())](bool is_last) {
      const auto [at, holder] = parts_.session->FindToken(token);
      if (at == nullptr) {
        ReplyDetail(exchange, 401, "no seat has this token");
        return true;
      }
      if (holder.is_lost && !at->is_over()) {
        ReplyDetail(exchange, 410, "the seat is no longer yours");
        return true;
      }
      const bool is_due = at->is_over() || (at->stage() == Table::Stage::kPlaying &&
                                            at->state().to_move() == holder.seat);
      if (!is_due && !is_last) return false;
      ReplyJson(exchange, 200, ToText(TurnJson(*at, holder.seat, notations, parts_.now_ms())));
      return true;
    };
    polls_.Wait(table.id(), exchange, now_ms + *wait * 1'000, now_ms, answer);
  });
}

void V2Play::ReplyTurn(const Exchange& exchange, const Reply& reply, const std::string& token) {
  if (!reply.error.ok() || reply.table == nullptr) return ReplyFailure(exchange, reply);
  const std::optional<Table::Holder> holder = HolderOf(*reply.table, token);
  if (!reply.refusal) {
    const ApiJson turn = TurnJson(*reply.table, holder->seat, {}, parts_.now_ms());
    return ReplyJson(exchange, 200, ToText(turn));
  }
  if (reply.refusal->why != Refused::kIllegalMove) return ReplyFailure(exchange, reply);
  ApiJson json = {{"detail", reply.refusal->text},
                  {"attempts_left", reply.refusal->attempts_left},
                  {"moves", ApiJson::array()}};
  if (reply.refusal->attempts_left > 0) json["moves"] = LegalMovesJson(*reply.table);
  ReplyJson(exchange, 422, ToText(json));
}

void V2Play::Decide(const Exchange& exchange, const Session::Decide& decide) {
  FindSeat(exchange, [&](const Table& table, const Table::Holder&) {
    parts_.session->Request(table.id(), decide,
                            [this, exchange, token = BearerToken(exchange->request())](
                                const Reply& reply) { ReplyTurn(exchange, reply, token); });
  });
}

void V2Play::Move(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  MoveRequest move;
  const absl::Status read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Body body, Body::Read(exchange->request()));
    RETURN_IF_ERROR(body.CheckMembers(NamesOf(call.route.fields)));
    ASSIGN_OR_RETURN(std::string text, body.RequiredText("move"));
    move.texts.push_back(std::move(text));
    ASSIGN_OR_RETURN(move.ply, body.RequiredNumber("ply"));
    ASSIGN_OR_RETURN(move.message, body.Text("message"));
    return absl::OkStatus();
  }();
  if (!read.ok()) return ReplyError(exchange, read);
  Decide(exchange,
         [move, token = BearerToken(exchange->request())](const Table& at, int64_t now_ms) {
           return at.Move(*HolderOf(at, token), move, now_ms);
         });
}

void V2Play::Resign(const V2Call& call) {
  Decide(call.exchange,
         [token = BearerToken(call.exchange->request())](const Table& at, int64_t now_ms) {
           return at.Resign(*HolderOf(at, token), now_ms);
         });
}

void V2Play::Leave(const V2Call& call) {
  Decide(call.exchange,
         [token = BearerToken(call.exchange->request())](const Table& at, int64_t now_ms) {
           if (at.stage() == Table::Stage::kWaiting) {
             return at.Resign(*HolderOf(at, token), now_ms);
           }
           return Decision{.refusal = Refusal{.why = Refused::kForbidden,
                                              .text = "the game has begun; resign to leave it"}};
         });
}

void V2Play::Say(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const absl::StatusOr<std::string> message = [&]() -> absl::StatusOr<std::string> {
    ASSIGN_OR_RETURN(const Body body, Body::Read(exchange->request()));
    RETURN_IF_ERROR(body.CheckMembers(NamesOf(call.route.fields)));
    return body.RequiredText("message");
  }();
  if (!message.ok()) return ReplyError(exchange, message.status());
  Decide(exchange, [message = *message, token = BearerToken(exchange->request())](const Table& at,
                                                                                  int64_t now_ms) {
    return at.Say(*HolderOf(at, token), message, now_ms);
  });
}

void V2Play::ClaimDraw(const V2Call& call) {
  Decide(call.exchange,
         [token = BearerToken(call.exchange->request())](const Table& at, int64_t now_ms) {
           return at.ClaimDraw(*HolderOf(at, token), now_ms);
         });
}

void V2Play::Fill(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  FindSeat(exchange, [&](const Table& table, const Table::Holder& holder) {
    if (holder.is_lost) return ReplyDetail(exchange, 410, "the seat is no longer yours");
    parts_.session->Fill(
        table.id(), [this, exchange, token = BearerToken(exchange->request())](const Reply& reply) {
          ReplyTurn(exchange, reply, token);
        });
  });
}

// ---- Rematch.

JoinAsk V2Play::RematchOf(const Table& table, Seat seat) const {
  const size_t seats = table.seat_count();
  const auto next = [seats](Seat one) { return SeatAt((Index(one) + 1) % seats); };
  JoinAsk ask{.occupant = *table.occupant(seat), .settings = table.settings()};
  ask.wishes = {next(seat)};
  ask.settings.is_private = true;
  ask.settings.rematch_of = table.id();
  ask.settings.fill_ms = std::max(ask.settings.fill_ms, kRematchMsMin);
  ask.settings.house_bots = {};
  for (size_t i = 0; i < seats; ++i) {
    const Occupant& occupant = *table.occupant(SeatAt(i));
    if (occupant.is_house_bot()) ask.settings.house_bots[next(SeatAt(i))] = occupant.house_bot;
  }
  return ask;
}

void V2Play::Rematch(const V2Call& call) {
  const Exchange& exchange = call.exchange;
  const std::string token = BearerToken(exchange->request());
  FindSeat(exchange, [&](const Table& table, const Table::Holder&) {
    const auto decide = [token](const Table& at, int64_t now_ms) {
      return at.WantRematch(*HolderOf(at, token), now_ms);
    };
    parts_.session->Request(table.id(), decide, [this, exchange, token](const Reply& reply) {
      if (!reply.ok()) return ReplyFailure(exchange, reply);
      JoinAsk ask = RematchOf(*reply.table, HolderOf(*reply.table, token)->seat);
      ask.secret = Sha256Hex("rematch " + token).substr(0, kSecretDigits);
      Sit(exchange, std::move(ask));
    });
  });
}

}  // namespace triarch::arena
