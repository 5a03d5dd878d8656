#include "core/tri_d/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

// Black's board on QL6 is empty and stands over a white pawn.
constexpr char kOverPawn[] =
    "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 b - - 0 10";

Position Parsed(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

Position Start() { return Start(kGame<Position>, "").value(); }

Position After(std::string_view position, std::string_view moves) {
  Position p = Parsed(position);
  for (const std::string_view move : Split(moves, ' ')) {
    const auto parsed = ParseMove(p, move);
    EXPECT_TRUE(parsed.ok()) << move << ": " << parsed.status();
    if (parsed.ok()) p.Play(*parsed);
  }
  return p;
}

std::string MoveJson(std::string_view position, std::string_view move) {
  const Position p = Parsed(position);
  const auto parsed = ParseMove(p, move);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return MoveToJson(p, parsed.value_or(Position::Move()));
}

void ExpectRoundTrip(const Position& position) {
  const absl::StatusOr<Position> read = FromJson(kGame<Position>, ToJson(position));
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << ToJson(position);
  EXPECT_EQ(*read, position) << ToString(position);
  EXPECT_EQ(ToString(*read), ToString(position));
  EXPECT_EQ(read->key(), position.key());
}

Json StatusesOf(const Position& position) { return Json::parse(ToJson(position))["statuses"]; }

// Returns the error for the start position after `change`, which introduces one fault.
template <class F>
std::string ErrorOf(F change) {
  Json json = Json::parse(ToJson(Start()));
  change(json);
  const absl::StatusOr<Position> position = FromJson(kGame<Position>, json.dump());
  EXPECT_FALSE(position.ok()) << json;
  return std::string(position.status().message());
}

// --- moves ---

TEST(TriDMoveJson, HasTheSameKeysAsInTriumvirate) {
  EXPECT_EQ(MoveToJson(Start(), ParseMove(Start(), "b3W-b5N").value()),
            R"({"from":"b3W","to":"b5N","type":"normal","player":"white","captured":null,)"
            R"("promotion":null})");
}

TEST(TriDMoveJson, DistinguishesTheKindsOfMoves) {
  const std::string_view castling =
      "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/R1|DD/KR|rq/dd|kr/dd w KQkq - 0 2";
  EXPECT_EQ(MoveJson(castling, "0-0"),
            R"({"from":"d0KL1","to":"e0KL1","type":"castling","player":"white","captured":null,)"
            R"("promotion":null})");
  EXPECT_EQ(MoveJson(castling, "0-0-0"),
            R"({"from":"d0KL1","to":"a0QL1","type":"castling","player":"white","captured":null,)"
            R"("promotion":null})");
  const std::string_view pawns =
      "QL1,KL1,QL6,KL6 4/4/4/4|4/p3/1P2/4|2n1/1P2/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  EXPECT_EQ(MoveJson(pawns, "b4N-a5N"),
            R"({"from":"b4N","to":"a5N","type":"capture","player":"white","captured":"Pawn",)"
            R"("promotion":null})");
  EXPECT_EQ(MoveJson(pawns, "b7B-b8B=R"),
            R"({"from":"b7B","to":"b8B","type":"promotion","player":"white","captured":null,)"
            R"("promotion":"Rook"})");
  EXPECT_EQ(MoveJson(pawns, "b7B-c8B=Q"),
            R"({"from":"b7B","to":"c8B","type":"promotion","player":"white","captured":"Knight",)"
            R"("promotion":"Queen"})");
  EXPECT_EQ(MoveJson("QL1,KL1,QL6,KL6 1Pp1/4/D1DD/NBBN|4/4/4/4|nbbn/dd1d/4/4|DD/RQ|DD/KR|rq/dd|"
                     "kr/dd b KQkq b4W 0 5",
                     "c4W-b3N"),
            R"({"from":"c4W","to":"b3N","type":"en_passant","player":"black","captured":"Pawn",)"
            R"("promotion":null})");
}

TEST(TriDMoveJson, NamesTheBoardThatMoves) {
  EXPECT_EQ(MoveJson(kOverPawn, "QL6-QL5"),
            R"({"board":"BQL","from":"QL6","to":"QL5","type":"board","player":"black",)"
            R"("captured":null,"promotion":null})");
  EXPECT_EQ(MoveJson("QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|P1/2|k1/2 w - - 0 10",
                     "QL4-QL6=N"),
            R"({"board":"BQL","from":"QL4","to":"QL6","type":"board","player":"white",)"
            R"("captured":null,"promotion":"Knight"})");
}

TEST(TriDMoveJson, AFreedPawnPromotesWhereItStands) {
  const Position position = After(kOverPawn, "QL6-QL5");
  EXPECT_EQ(MoveToJson(position, ParseMove(position, "a8B=Q").value()),
            R"({"from":"a8B","to":"a8B","type":"promotion","player":"white","captured":null,)"
            R"("promotion":"Queen"})");
}

// --- positions ---

TEST(TriDPositionJson, HasItsKeysInTheirOrder) {
  const std::string text =
      ToJson(Parsed("QL1,KL1,QL6,KL3 4/4/4/K3|4/4/4/4|4/1d2/4/4|D1/2|2/2|2/2|k1/2 w - - 3 7"));
  EXPECT_EQ(text,
            R"({"pieces":[{"cell":"a1W","type":"King","color":"white"},)"
            R"({"cell":"b7B","type":"Pawn","color":"black","double_step":true},)"
            R"({"cell":"z1QL1","type":"Pawn","color":"white","double_step":true},)"
            R"({"cell":"d3KL3","type":"King","color":"black"}],)"
            R"("pins":{"WQL":"QL1","WKL":"KL1","BQL":"QL6","BKL":"KL3"},"active_player":"white",)"
            R"("castling":{"white":{"K":false,"Q":false},"black":{"K":false,"Q":false}},)"
            R"("move_number":7,"en_passant":null,"halfmove_clock":3,"pending":null,)"
            R"("statuses":{"white":"active","black":"active"}})");
}

TEST(TriDPositionJson, NamesEnPassantAndPendingPawns) {
  EXPECT_EQ(Json::parse(ToJson(After(ToString(Start()), "b3W-b5N")))["en_passant"], "b5N");
  EXPECT_EQ(Json::parse(ToJson(After(kOverPawn, "QL6-QL5")))["pending"], "a8B");
}

// Returns every position of the perft table.
std::vector<std::string> Positions() {
  std::vector<std::string> positions;
  std::ifstream table(TRIARCH_TEST_DATA "/tri_d/perft.tsv");
  for (std::string line; std::getline(table, line);) positions.emplace_back(Split(line, '\t')[1]);
  return positions;
}

TEST(TriDPositionJson, RoundTrips) {
  const std::vector<std::string> positions = Positions();
  EXPECT_GT(positions.size(), 40u);
  for (const std::string& text : positions) ExpectRoundTrip(Parsed(text));
  for (const std::string_view start : Starts(kGame<Position>)) {
    ExpectRoundTrip(Start(kGame<Position>, start).value());
  }
  ExpectRoundTrip(After(ToString(Start()), "b3W-b5N"));
  ExpectRoundTrip(After(kOverPawn, "QL6-QL5"));
}

// TFEN cannot express the end of a game; the statuses can.
TEST(TriDPositionJson, RoundTripsAfterTheEnd) {
  // White's knights occupy Black's boards; the queen's next step stalemates the king.
  constexpr char kCorner[] =
      "QL2,KL2,QL1,KL1 4/4/4/4|4/4/4/4|k3/4/2K1/1Q2|2/2|2/2|2/N1|2/1N w - - 0 10";
  const Position stalemate = After(kCorner, "b5B-b6B");
  EXPECT_EQ(StatusesOf(stalemate), Json::parse(R"({"white":"active","black":"stalemate"})"));
  ExpectRoundTrip(stalemate);
  const Position mate = After(kCorner, "b5B-b7B");
  EXPECT_EQ(StatusesOf(mate), Json::parse(R"({"white":"active","black":"checkmate"})"));
  ExpectRoundTrip(mate);
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    Position resigned = Start();
    resigned.Resign(seat);
    EXPECT_EQ(StatusesOf(resigned)[seat == Seat::kFirst ? "white" : "black"], "out");
    ExpectRoundTrip(resigned);
  }
}

TEST(TriDPositionJson, ShowsChecks) {
  const Json statuses =
      StatusesOf(Parsed("QL1,KL1,QL6,KL6 4/4/4/3r|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10"));
  EXPECT_EQ(statuses["white"], "check");
  EXPECT_EQ(statuses["black"], "active");
}

TEST(TriDPositionJson, ReadsOnlyTheBasicKeys) {
  Json json = Json::parse(ToJson(Start()));
  for (const char* key : {"en_passant", "halfmove_clock", "pending", "statuses"}) json.erase(key);
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

TEST(TriDPositionJson, ReadsPiecesInAnyOrderAndCellsByBoard) {
  Json json = Json::parse(ToJson(Start()));
  std::swap(json["pieces"][0], json["pieces"][20]);
  for (Json& piece : json["pieces"]) {
    if (piece["cell"] == "z9QL6") piece["cell"] = "z9BQL";
    if (!piece.contains("double_step")) piece["double_step"] = false;
  }
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

// `triarch play --json` adds these after the end.
TEST(TriDPositionJson, IgnoresTheResult) {
  Json json = Json::parse(ToJson(Start()));
  for (const char* key : {"result", "termination", "placement"}) json[key] = "x";
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

TEST(TriDPositionJson, ReportsErrorsWithTheirLocation) {
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "b1N"; }),
            R"(/pieces/3/cell: expected a cell such as "c1W" or "a8QL6", not "b1N")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = 7; }),
            R"(/pieces/3/cell: expected a cell such as "c1W" or "a8QL6", not 7)");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "a4QL2"; }),
            R"(/pieces/3/cell: expected a cell on a pin that holds a board, not )"
            R"("a4QL2")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "a3W"; }),
            R"(/pieces/3/cell: expected a different cell for each piece, not "a3W")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["color"] = "red"; }),
            R"(/pieces/0/color: expected "white" or "black", not "red")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["target"] = "white"; }),
            R"(/pieces/0: unknown key "target"; expected "cell", "type", "color" or )"
            R"("double_step")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["double_step"] = 1; }),
            "/pieces/0/double_step: expected true or false, not 1");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][4]["double_step"] = true; }),
            "/pieces/4/double_step: expected false because this is not a pawn, not true");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"] = Json::array(); }),
            "/pieces: expected an array of pieces, not an empty array");
  EXPECT_EQ(ErrorOf([](Json& json) { json.erase("pins"); }),
            R"(the document: the key "pins" is missing)");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pins"].erase("BKL"); }),
            R"(/pins: the key "BKL" is missing)");
  EXPECT_THAT(ErrorOf([](Json& json) { json["pins"]["BKL"] = "KL7"; }),
              StartsWith(R"(/pins/BKL: expected "QL1", "QL2", )"));
  EXPECT_EQ(ErrorOf([](Json& json) { json["pins"]["BKL"] = "QL6"; }),
            R"(/pins/BKL: expected a different pin for each board, not "QL6")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["castling"]["black"]["Q"] = 1; }),
            "/castling/black/Q: expected true or false, not 1");
  EXPECT_EQ(ErrorOf([](Json& json) { json["en_passant"] = "b3"; }),
            R"(/en_passant: expected a cell such as "c1W" or "a8QL6", not "b3")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pending"] = false; }),
            R"(/pending: expected a cell such as "c1W" or "a8QL6", not false)");
  EXPECT_THAT(ErrorOf([](Json& json) { json["halfmove_clok"] = 0; }),
              StartsWith(R"(the document: unknown key "halfmove_clok")"));
}

TEST(TriDPositionJson, ChecksTheStatuses) {
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["black"] = "check"; }),
            R"(/statuses/black: expected "active", not "check")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["white"] = "checkmate"; }),
            R"(/statuses/white: expected "active", not "checkmate")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["white"] = "stalemate"; }),
            R"(/statuses/white: expected "active", not "stalemate")");
  EXPECT_EQ(ErrorOf([](Json& json) {
              json["statuses"]["white"] = "out";
              json["statuses"]["black"] = "out";
            }),
            R"(/statuses/black: expected "active", not "out")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"].erase("white"); }),
            R"(/statuses: the key "white" is missing)");
}

TEST(TriDPositionJson, ReportsErrorsOfTheTfenReader) {
  EXPECT_THAT(ErrorOf([](Json& json) { json["move_number"] = 0; }),
              StartsWith("BAD_FULLMOVE field 7"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][8]["type"] = "Queen"; }),
              StartsWith("KING_MISSING field 2"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["en_passant"] = "a3W"; }),
              StartsWith("BAD_EP field 5"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pending"] = "a3W"; }),
              StartsWith("BAD_PENDING field 8"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][0]["cell"] = "a4W"; }),
              StartsWith("BAD_DOUBLE_STEP field 2"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][8]["cell"] = "a1W"; }),
              StartsWith("CASTLING_IMPOSSIBLE field 4"));
}

TEST(TriDPositionJson, RefusesInvalidJson) {
  EXPECT_THAT(FromJson(kGame<Position>, "{\"pieces\": [}").status().message(),
              HasSubstr("not JSON: syntax error at byte 13"));
  EXPECT_EQ(FromJson(kGame<Position>, "[]").status().message(),
            "the document: expected an object, not an empty array");
}

}  // namespace
}  // namespace triarch::tri_d
