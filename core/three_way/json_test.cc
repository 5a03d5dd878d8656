#include "core/three_way/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/three_way/position.h"
#include "core/three_way/text.h"

namespace triarch::three_way {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

Position Parsed(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

Position Start() { return Start(kGame<Position>, "").value(); }

std::string MoveJson(std::string_view position, std::string_view move) {
  const Position p = Parsed(position);
  const auto parsed = ParseMove(p, move);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return MoveToJson(p, parsed.value_or(Position::Move()));
}

// Returns the error for the start position after `change`, which introduces one fault.
template <class F>
std::string ErrorOf(F change) {
  Json json = Json::parse(ToJson(Start()));
  change(json);
  const absl::StatusOr<Position> position = FromJson(kGame<Position>, json.dump());
  EXPECT_FALSE(position.ok()) << json;
  return std::string(position.status().message());
}

TEST(ThreeWayMoveJson, HasTheSameKeysAsInTriumvirate) {
  EXPECT_EQ(MoveToJson(Start(), ParseMove(Start(), "h5-h7").value()),
            R"({"from":"h5","to":"h7","type":"normal","player":"white","captured":null,)"
            R"("promotion":null})");
}

TEST(ThreeWayMoveJson, DistinguishesTheKindsOfMoves) {
  EXPECT_EQ(MoveJson("r3k2r/8/8/8/X/X X/4k3/8/8/8/X X/X/4k3/8/8/8 W qk---- --- 0 20", "h4-j2"),
            R"({"from":"h4","to":"j2","type":"castling","player":"white","captured":null,)"
            R"("promotion":null})");
  const std::string_view pawns =
      "4k3/8/8/8/8/1pp3p1/8/6p1/1p6/6p1/8/8 8/1p6/6p1/8/4k3/8/8/8/8/8/8/6p1 "
      "8/3p4/8/8/8/8/1p6/1p6/4k3/8/8/8 W ------ --- 0 20";
  EXPECT_EQ(MoveJson(pawns, "m5-m6=N"),
            R"({"from":"m5","to":"m6","type":"promotion","player":"white","captured":null,)"
            R"("promotion":"Knight"})");
  EXPECT_EQ(MoveJson(pawns, "l6-k8"),
            R"({"from":"l6","to":"k8","type":"capture","player":"white","captured":"King",)"
            R"("promotion":null})");
  EXPECT_EQ(
      MoveJson("4k3/5p2/8/8/X/X X/4k3/8/8/8/8/8/8/6p1 X/X/4k3/8/8/7p G ------ --8 0 20", "e8-c9=Q"),
      R"({"from":"e8","to":"c9","type":"en_passant","player":"gray","captured":"Pawn",)"
      R"("promotion":"Queen"})");
}

TEST(ThreeWayPositionJson, HasItsKeysInTheirOrder) {
  const std::string text =
      ToJson(Parsed("4k3/8/8/8/8/8/8/7r/X X/X/X X/X/4k3/1p6/8/8 B ------ 7-- 3 7"));
  EXPECT_EQ(text, R"({"pieces":[{"cell":"h4","type":"King","color":"white"},)"
                  R"({"cell":"h11","type":"Rook","color":"white"},)"
                  R"({"cell":"d11","type":"King","color":"black"},)"
                  R"({"cell":"e13","type":"Pawn","color":"black"}],"active_player":"black",)"
                  R"("castling":{"white":{"K":false,"Q":false},"gray":{"K":false,"Q":false},)"
                  R"("black":{"K":false,"Q":false}},"move_number":7,)"
                  R"("en_passant":{"white":"j4","gray":null,"black":null},"halfmove_clock":3,)"
                  R"("statuses":{"white":"active","gray":"out","black":"check"}})");
}

// Returns every position of the perft table.
std::vector<std::string> Positions() {
  std::vector<std::string> positions;
  std::ifstream table(TRIARCH_TEST_DATA "/three_way/perft.tsv");
  for (std::string line; std::getline(table, line);) positions.emplace_back(Split(line, '\t')[1]);
  return positions;
}

TEST(ThreeWayPositionJson, RoundTrips) {
  const std::vector<std::string> positions = Positions();
  EXPECT_GT(positions.size(), 20u);
  for (const std::string& text : positions) {
    const Position position = Parsed(text);
    const absl::StatusOr<Position> read = FromJson(kGame<Position>, ToJson(position));
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    EXPECT_EQ(*read, position) << text;
    EXPECT_EQ(ToString(*read), text);
  }
}

TEST(ThreeWayPositionJson, ShowsChecksAndEliminations) {
  const Json json = Json::parse(ToJson(
      Parsed("rnbq1bnr/pppppppp/8/8/X/8/8/2k5/8 X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/"
             "8/8 W --qkqk --- 0 1")));
  EXPECT_EQ(json["statuses"]["white"], "check");
  EXPECT_EQ(json["statuses"]["gray"], "active");
}

TEST(ThreeWayPositionJson, ReadsOnlyTheBasicKeys) {
  Json json = Json::parse(ToJson(Start()));
  for (const char* key : {"en_passant", "halfmove_clock", "statuses"}) json.erase(key);
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

// `triarch play --json` adds these after the end.
TEST(ThreeWayPositionJson, IgnoresTheResult) {
  Json json = Json::parse(ToJson(Start()));
  for (const char* key : {"result", "termination", "placement"}) json[key] = "x";
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

TEST(ThreeWayPositionJson, ReportsErrorsWithTheirLocation) {
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "a1"; }),
            R"(/pieces/3/cell: expected a cell of the board such as "h5", not "a1")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "d4"; }),
            R"(/pieces/3/cell: expected a different cell for each piece, not "d4")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["color"] = "red"; }),
            R"(/pieces/0/color: expected "white", "gray" or "black", not "red")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["owner"] = "white"; }),
            R"(/pieces/0: unknown key "owner"; expected "cell", "type" or "color")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"] = Json::array(); }),
            "/pieces: expected an array of pieces, not an empty array");
  EXPECT_EQ(ErrorOf([](Json& json) { json["castling"]["gray"]["Q"] = 1; }),
            "/castling/gray/Q: expected true or false, not 1");
  EXPECT_EQ(ErrorOf([](Json& json) { json["en_passant"] = nullptr; }),
            "/en_passant: expected an object, not null");
  EXPECT_EQ(ErrorOf([](Json& json) { json["en_passant"]["white"] = "h7"; }),
            "/en_passant/white: expected a cell that this player's pawns pass over, such as "
            "\"h6\", not \"h7\"");
  EXPECT_EQ(ErrorOf([](Json& json) { json["en_passant"]["gray"] = "h6"; }).substr(0, 17),
            "/en_passant/gray:");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["gray"] = "out"; }),
            R"(/statuses/gray: expected "active", not "out")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["gray"] = "checkmate"; }),
            R"(/statuses/gray: expected "active", "check" or "out", not "checkmate")");
  EXPECT_THAT(ErrorOf([](Json& json) { json["halfmove_clok"] = 0; }),
              StartsWith(R"(the document: unknown key "halfmove_clok")"));
}

TEST(ThreeWayPositionJson, ReportsErrorsOfTheHexFenReader) {
  EXPECT_THAT(ErrorOf([](Json& json) { json["move_number"] = 0; }), StartsWith("BAD_FULL field 8"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][4]["type"] = "Queen"; }),
              StartsWith("KING_MISSING field 1"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][0]["type"] = "Queen"; }),
              StartsWith("CASTLING_IMPOSSIBLE field 5"));
  EXPECT_THAT(ErrorOf([](Json& json) {
                Json& pieces = json["pieces"];
                pieces.erase(pieces.begin(), pieces.begin() + 16);
              }),
              StartsWith("TURN_ELIMINATED field 4"));
}

TEST(ThreeWayPositionJson, RefusesInvalidJson) {
  EXPECT_THAT(FromJson(kGame<Position>, "{\"pieces\": [}").status().message(),
              HasSubstr("not JSON: syntax error at byte 13"));
}

}  // namespace
}  // namespace triarch::three_way
