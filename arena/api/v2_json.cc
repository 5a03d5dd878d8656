#include "arena/api/v2_json.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "arena/api/position_json.h"
#include "core/any_state.h"
#include "core/base/text.h"
#include "core/game/outcome.h"
#include "core/game/picture.h"
#include "core/record/spec_words.h"

namespace triarch::arena {
namespace {

constexpr size_t kMoveFormsMax = 8;
constexpr std::string_view kBoard = "board";
constexpr std::string_view kPositionJson = "json";
constexpr std::string_view kMoveObjects = "objects";

double Seconds(int64_t ms) { return static_cast<double>(ms) / 1'000; }

ApiJson OccupantJson(const Occupant& occupant) {
  return {{"name", occupant.name},
          {"type", ToString(occupant.type)},
          {"model", occupant.model},
          {"claimed", occupant.is_claimed},
          {"house_bot", occupant.is_house_bot()}};
}

ApiJson PlayersOf(const Table& table) {
  ApiJson players = ApiJson::array();
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    if (!table.occupant(seat)) continue;
    ApiJson player = {{"seat", SeatWord(table.info(), seat)}};
    player.update(OccupantJson(*table.occupant(seat)));
    player["replaced"] = table.is_replacement(seat);
    player["in"] = table.state().is_in(seat);
    players.push_back(std::move(player));
  }
  return players;
}

ApiJson ChatOf(const Table& table) {
  ApiJson lines = ApiJson::array();
  for (const ChatLine& line : table.chat()) {
    lines.push_back({{"move_number", line.move_number},
                     {"seat", SeatWord(table.info(), line.seat)},
                     {"name", line.name},
                     {"text", line.text}});
  }
  return lines;
}

// Returns the last move in TPGN, or null.
ApiJson LastMoveOf(const Table& table) {
  if (table.game() == nullptr) return nullptr;
  const std::vector<RecordedEvent>& events = table.game()->record().events;
  const auto last = std::find_if(events.rbegin(), events.rend(), [](const RecordedEvent& event) {
    return event.kind == RecordedEvent::Kind::kMove;
  });
  return last == events.rend() ? ApiJson(nullptr) : ApiJson(std::string(last->move.text()));
}

ApiJson MovesInForm(const Table& table, const AnyState::Moves& moves, size_t form) {
  ApiJson texts = ApiJson::array();
  for (size_t i = 0; i < moves.size(); ++i)
    texts.push_back(table.state().MoveInForm(moves, i, form));
  return texts;
}

// Returns the texts in the notations that were asked for.
ApiJson TextsOf(const Table& table, const AnyState::Moves& moves,
                const std::vector<std::string>& notations) {
  ApiJson texts = ApiJson::object();
  const std::span<const std::string_view> forms = AnyState::MoveForms(table.info().name);
  for (const std::string& notation : notations) {
    if (notation == kBoard) {
      const absl::StatusOr<std::string> board =
          table.state().ToBoard({.is_colored = false, .names = ""});
      texts[notation] = board.ok() ? *board : "";
    } else if (notation == kPositionJson) {
      texts[notation] = ApiJson::parse(table.state().ToJson());
    } else if (notation == kMoveObjects) {
      texts[notation] = ApiJson::array();
      for (size_t i = 0; i < moves.size(); ++i) {
        texts[notation].push_back(ApiJson::parse(table.state().MoveToJson(moves, i)));
      }
    } else {
      const auto form = std::find(forms.begin(), forms.end(), notation);
      texts[notation] = MovesInForm(table, moves, static_cast<size_t>(form - forms.begin()));
    }
  }
  return texts;
}

// Begins the JSON of a table; `seat` is empty for a spectator.
ApiJson ViewJson(const Table& table, std::optional<Seat> seat,
                 const std::vector<std::string>& notations, int64_t now_ms) {
  const AnyState& state = table.state();
  const GameInfo& info = table.info();
  const bool is_playing = table.stage() == Table::Stage::kPlaying;
  const bool is_turn = is_playing && seat && *seat == state.to_move();
  ApiJson json = {{"table", table.id()},
                  {"game", info.name},
                  {"stage", StageName(table.stage())},
                  {"rated", table.settings().is_rated}};
  if (seat) {
    json["seat"] = SeatWord(info, *seat);
    json["your_turn"] = is_turn;
  }
  json["ply"] = table.plies();
  json["move_number"] = state.move_number();
  json["to_move"] = is_playing ? ApiJson(SeatWord(info, state.to_move())) : ApiJson(nullptr);
  json["position"] = state.ToString();
  ApiJson checked = ApiJson::array();
  for (size_t i = 0; i < table.seat_count(); ++i) {
    if (state.is_in(SeatAt(i)) && state.in_check(SeatAt(i))) {
      checked.push_back(SeatWord(info, SeatAt(i)));
    }
  }
  json["in_check"] = std::move(checked);
  // A spectator sees all moves.
  const AnyState::Moves moves = !seat || is_turn ? table.moves() : AnyState::Moves();
  json["moves"] = MovesInForm(table, moves, 0);
  json["texts"] = TextsOf(table, moves, notations);
  json["last_move"] = LastMoveOf(table);
  if (seat) {
    json["can_claim"] = is_turn && table.can_claim_draw();
    json["attempts_left"] = kAttemptsMax - (is_turn ? table.attempts() : 0);
  }
  const std::optional<int64_t> deadline = table.deadline_ms();
  json["seconds_left"] =
      deadline ? ApiJson(Seconds(std::max<int64_t>(*deadline - now_ms, 0))) : ApiJson(nullptr);
  json["players"] = PlayersOf(table);
  json["chat"] = ChatOf(table);
  json["result"] = ResultJson(table);
  json["events"] = table.event_count();
  return json;
}

void AddSettings(const TableSettings& settings, ApiJson& json) {
  json["game"] = settings.game;
  json["position"] = settings.position;
  json["rated"] = settings.is_rated;
  json["private"] = settings.is_private;
  json["draws"] = ToString(settings.draws);
  json["fill_seconds"] = Seconds(settings.fill_ms);
  json["move_seconds"] = Seconds(settings.move_ms);
  json["rematch_of"] =
      settings.rematch_of.empty() ? ApiJson(nullptr) : ApiJson(settings.rematch_of);
}

std::string Unquoted(const std::string& text) {
  return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

// Adds the position after an event, and what a picture of it needs (docs/web-api.md).
void AddPosition(const Table& after, ApiJson& json) {
  ApiJson board = PositionJson(after.state());
  json["position"] = board["text"];
  board.erase("text");
  json["board"] = std::move(board);
}

// Returns where the last move began and ended.
ApiJson PlacesOfLastMove(const Table& table) {
  const ApiJson move = ApiJson::parse(table.last_move());
  ApiJson places = ApiJson::array();
  places.push_back(move["from"]);
  if (move["to"] != move["from"]) places.push_back(move["to"]);
  return places;
}

std::string_view ForcedWord(Forced forced) {
  return forced == Forced::kTimeout ? "timeout" : "illegal_moves";
}

}  // namespace

std::string SeatWord(const GameInfo& game, Seat seat) {
  return absl::AsciiStrToLower(game.seat_name(seat));
}

std::optional<Seat> ParseSeat(const GameInfo& game, std::string_view word) {
  for (size_t i = 0; i < game.seats; ++i) {
    if (word == SeatWord(game, SeatAt(i))) return SeatAt(i);
  }
  return std::nullopt;
}

std::string_view StageName(Table::Stage stage) {
  switch (stage) {
    case Table::Stage::kWaiting:
      return "waiting";
    case Table::Stage::kPlaying:
      return "playing";
    case Table::Stage::kFinished:
      return "finished";
    default:
      return "closed";
  }
}

std::string TimeText(int64_t time_ms) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::FromUnixMillis(time_ms),
                          absl::UTCTimeZone());
}

absl::StatusOr<std::vector<std::string>> ParseNotations(const std::string& game,
                                                        std::string_view text) {
  std::vector<std::string> notations;
  if (text.empty()) return notations;
  std::vector<std::string> known;
  for (const std::string_view form : AnyState::MoveForms(game)) known.emplace_back(form);
  known.emplace_back(kBoard);
  known.emplace_back(kPositionJson);
  known.emplace_back(kMoveObjects);
  for (const std::string_view word : Split(text, ',')) {
    const bool is_known = std::count(known.begin(), known.end(), word) != 0;
    if (!is_known || notations.size() == kMoveFormsMax) {
      return absl::InvalidArgumentError(absl::StrFormat("notations: expected some of %s, not %s",
                                                        absl::StrJoin(known, ", "), Quote(word)));
    }
    notations.emplace_back(word);
  }
  return notations;
}

ApiJson TableJson(const Table& table, const std::vector<std::string>& notations, int64_t now_ms) {
  return ViewJson(table, std::nullopt, notations, now_ms);
}

ApiJson TurnJson(const Table& table, Seat seat, const std::vector<std::string>& notations,
                 int64_t now_ms) {
  return ViewJson(table, seat, notations, now_ms);
}

ApiJson ListedTableJson(const Table& table) {
  return {{"table", table.id()},
          {"game", table.info().name},
          {"stage", StageName(table.stage())},
          {"rated", table.settings().is_rated},
          {"ply", table.plies()},
          {"players", PlayersOf(table)},
          {"opened", TimeText(table.opened_ms())}};
}

ApiJson ResultJson(const Table& table) {
  const std::optional<Outcome>& outcome = table.state().outcome();
  if (table.stage() != Table::Stage::kFinished || !outcome) return nullptr;
  ApiJson places = ApiJson::object();
  for (size_t i = 0; i < table.seat_count(); ++i) {
    places[SeatWord(table.info(), SeatAt(i))] = outcome->place[SeatAt(i)];
  }
  return {{"result", ResultText(outcome->place, table.seat_count())},
          {"places", std::move(places)},
          {"termination", ToString(outcome->termination)}};
}

ApiJson LegalMovesJson(const Table& table) { return MovesInForm(table, table.moves(), 0); }

std::string PublicEventJson(const Table& after, int64_t n, const Event& event) {
  using Kind = Event::Kind;
  ApiJson json = {{"n", n}, {"kind", ToString(event.kind)}, {"time", TimeText(event.time_ms)}};
  if (event.kind == Kind::kOpened) {
    AddSettings(event.settings, json);
    AddPosition(after, json);
  } else if (event.kind == Kind::kClosed) {
    json["why"] = ToString(event.why);
  } else {
    json["seat"] = SeatWord(after.info(), event.seat);
  }
  switch (event.kind) {
    case Kind::kJoined:
    case Kind::kReplaced:
      json.update(OccupantJson(event.occupant));
      break;
    case Kind::kMoved:
      json["ply"] = after.plies() - 1;
      json["move"] = event.move;
      json["cells"] = PlacesOfLastMove(after);
      AddPosition(after, json);
      json["forced"] =
          event.forced == Forced::kNo ? ApiJson(nullptr) : ApiJson(ForcedWord(event.forced));
      json["message"] = event.message;
      break;
    case Kind::kSaid:
      json["message"] = event.message;
      break;
    case Kind::kMissed:
      json["move"] = Unquoted(event.move);
      break;
    case Kind::kForfeited:
      json["why"] = ToString(event.why);
      AddPosition(after, json);
      break;
    case Kind::kResigned:
    case Kind::kClaimedDraw:
      AddPosition(after, json);
      break;
    default:
      break;
  }
  // Only the event that ends the game is followed by no other one of the game.
  const bool is_of_game = event.kind != Kind::kWantsRematch && event.kind != Kind::kSaid;
  if (is_of_game && after.stage() == Table::Stage::kFinished) {
    json["result"] = ResultJson(after);
  }
  return ToText(json);
}

}  // namespace triarch::arena
