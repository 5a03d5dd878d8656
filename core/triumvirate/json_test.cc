#include "core/triumvirate/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/text.h"

namespace triarch::triumvirate {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Position Parsed(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

Position Start() { return Start(kGame<Position>, "").value(); }

std::string MoveJson(std::string_view position, std::string_view move) {
  const Position p = Parsed(position);
  return MoveToJson(p, ParseMove(p, move).value());
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

TEST(MoveJson, HasTheKeysOfTheRules) {
  EXPECT_EQ(MoveToJson(Start(), ParseMove(Start(), "E2-E4").value()),
            R"({"from":"E2","to":"E4","type":"normal","player":"white","captured":null,)"
            R"("promotion":null})");
}

TEST(MoveJson, DistinguishesTheKindsOfMoves) {
  EXPECT_EQ(MoveJson("wRA1,wKE1,wPB2,bRA8,bKI8,rKI12 w w-.b-.r- - aaa 0 1", "A1-A8"),
            R"({"from":"A1","to":"A8","type":"capture","player":"white","captured":"Rook",)"
            R"("promotion":null})");
  EXPECT_EQ(MoveJson("wRA1,wKE1,bKI8,rKI12 w wQ.b-.r- - aaa 0 1", "O-O-O"),
            R"({"from":"E1","to":"C1","type":"castling","player":"white","captured":null,)"
            R"("promotion":null})");
  EXPECT_EQ(MoveJson("wKE1,wPB7,bRA8,bKI8,rKI12 w w-.b-.r- - aaa 0 1", "B7-A8=N"),
            R"({"from":"B7","to":"A8","type":"promotion","player":"white","captured":"Rook",)"
            R"("promotion":"Knight"})");
  EXPECT_EQ(MoveJson("wKE1,wPB4,bPA4,bKI8,rKI12 b w-.b-.r- B3 aaa 0 1", "A4-B3"),
            R"({"from":"A4","to":"B3","type":"en_passant","player":"black","captured":"Pawn",)"
            R"("promotion":null})");
}

TEST(PositionJson, HasTheKeysOfTheRulesInTheirOrder) {
  const std::string text = ToJson(Parsed("wKE1,wPI9^r,bKI8,bRL8,rKI12 b w-.bK.r- - aaa 3 7"));
  EXPECT_EQ(
      text,
      R"({"pieces":[{"cell":"E1","type":"King","color":"white","owner":"white"},)"
      R"({"cell":"I8","type":"King","color":"black","owner":"black"},)"
      R"({"cell":"I9","type":"Pawn","color":"white","owner":"white","target":"red"},)"
      R"({"cell":"I12","type":"King","color":"red","owner":"red"},)"
      R"({"cell":"L8","type":"Rook","color":"black","owner":"black"}],"active_player":"black",)"
      R"("castling":{"white":{"K":false,"Q":false},"black":{"K":true,"Q":false},)"
      R"("red":{"K":false,"Q":false}},"move_number":7,"en_passant":null,"halfmove_clock":3,)"
      R"("statuses":{"white":"active","black":"active","red":"active"}})");
}

// Returns every position of the conformance games and resignations.
std::vector<std::string> Positions() {
  std::vector<std::string> positions;
  std::ifstream games(TRIARCH_TEST_DATA "/triumvirate/games.jsonl");
  for (std::string line; std::getline(games, line);) {
    const Json game = Json::parse(line);
    for (const auto& entry : game["positions_3pf"]) {
      positions.push_back(entry["3pf"].get<std::string>());
    }
  }
  std::ifstream resignations(TRIARCH_TEST_DATA "/triumvirate/resign.tsv");
  for (std::string line; std::getline(resignations, line);) {
    const auto row = Split(line, '\t');
    positions.emplace_back(row.front());
    positions.emplace_back(row.back());
  }
  return positions;
}

TEST(PositionJson, RoundTrips) {
  const std::vector<std::string> positions = Positions();
  EXPECT_GT(positions.size(), 200u);
  for (const std::string& text : positions) {
    const Position position = Parsed(text);
    const absl::StatusOr<Position> read = FromJson(kGame<Position>, ToJson(position));
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    EXPECT_EQ(*read, position) << text;
    EXPECT_EQ(ToString(*read), text);
  }
}

TEST(PositionJson, DerivesMissingStatuses) {
  for (const std::string& text : Positions()) {
    Json json = Json::parse(ToJson(Parsed(text)));
    json.erase("statuses");
    const absl::StatusOr<Position> read = FromJson(kGame<Position>, json.dump());
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    // A checkmate cannot be derived, so `m` reads as `x`.
    std::vector<std::string> fields;
    for (const std::string_view field : Split(text, ' ')) fields.emplace_back(field);
    std::replace(fields[4].begin(), fields[4].end(), 'm', 'x');
    std::string expected = fields[0];
    for (size_t i = 1; i < fields.size(); ++i) expected += " " + fields[i];
    EXPECT_EQ(ToString(*read), expected);
  }
}

TEST(PositionJson, ReadsOnlyTheBasicKeys) {
  const absl::StatusOr<Position> position = FromJson(kGame<Position>, R"({
    "pieces": [{"cell": "E1", "type": "King", "color": "white", "owner": "white"},
               {"cell": "I8", "type": "King", "color": "black"},
               {"cell": "I4", "type": "Pawn", "color": "red", "owner": "white"}],
    "active_player": "white", "move_number": 1,
    "castling": {"white": {"K": false, "Q": false}, "black": {"K": false, "Q": false},
                 "red": {"K": false, "Q": false}}})");
  EXPECT_THAT(position.status().message(), HasSubstr("/pieces/2/cell: expected a cell"));
  Json json = Json::parse(ToJson(Start()));
  for (const char* key : {"en_passant", "halfmove_clock", "statuses"}) json.erase(key);
  EXPECT_EQ(FromJson(kGame<Position>, json.dump()).value(), Start());
}

TEST(PositionJson, ReportsErrorsWithTheirLocation) {
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "E5"; }),
            R"(/pieces/3/cell: expected a cell of the board such as "E2", not "E5")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][3]["cell"] = "A1,wKE1"; }),
            R"(/pieces/3/cell: expected a cell of the board such as "E2", not "A1,wKE1")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0]["type"] = "pawn"; }),
            R"(/pieces/0/type: expected "Pawn", "Knight", "Bishop", "Rook", "Queen" or "King", )"
            R"(not "pawn")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"][0].erase("color"); }),
            R"(/pieces/0: the key "color" is missing)");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"] = Json::object(); }),
            "/pieces: expected an array of pieces, not an object");
  EXPECT_EQ(ErrorOf([](Json& json) { json["pieces"] = Json::array(); }),
            "/pieces: expected an array of pieces, not an empty array");
  EXPECT_EQ(ErrorOf([](Json& json) { json.erase("castling"); }),
            R"(the document: the key "castling" is missing)");
  EXPECT_EQ(ErrorOf([](Json& json) { json["castling"]["red"]["K"] = 1; }),
            "/castling/red/K: expected true or false, not 1");
  EXPECT_EQ(ErrorOf([](Json& json) { json["castling"]["green"] = nullptr; }),
            R"(/castling: unknown key "green"; expected "white", "black" or "red")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["move_number"] = -1; }),
            "/move_number: expected a non-negative whole number, not -1");
  EXPECT_EQ(ErrorOf([](Json& json) { json["statuses"]["red"] = "a"; }),
            R"(/statuses/red: expected "active", "check", "stalemate", "checkmate" or "out", )"
            R"(not "a")");
  EXPECT_EQ(ErrorOf([](Json& json) { json["en_pasant"] = nullptr; }).substr(0, 38),
            R"(the document: unknown key "en_pasant";)");
}

TEST(PositionJson, ReportsErrorsOfThe3pfReader) {
  EXPECT_THAT(ErrorOf([](Json& json) { json["move_number"] = 0; }), HasSubstr("BAD_MOVE_NUMBER"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][0]["cell"] = "B1"; }),
              HasSubstr("DUPLICATE_CELL"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["statuses"]["red"] = "check"; }),
              HasSubstr("STATUS_INCONSISTENT"));
  EXPECT_THAT(ErrorOf([](Json& json) { json["pieces"][1]["target"] = "white"; }),
              HasSubstr("BAD_TARGET"));
  EXPECT_THAT(ErrorOf([](Json& json) {
                json["en_passant"] = "A4";
                json.erase("statuses");
              }),
              HasSubstr("EP_INCONSISTENT"));
}

TEST(PositionJson, RefusesInvalidJson) {
  const auto error = [](std::string_view text) {
    return std::string(FromJson(kGame<Position>, text).status().message());
  };
  EXPECT_EQ(error(""), "not JSON: syntax error at byte 1, where the text ends");
  EXPECT_EQ(error("{\"pieces\": [}"),
            "not JSON: syntax error at byte 13, where it continues with \"}\"");
  EXPECT_EQ(error("{\"a\": 1e999}"), "not JSON: a number is too large");
  EXPECT_EQ(error("7"), "the document: expected an object, not 7");
  EXPECT_THAT(error("\"\xff\""), HasSubstr("not JSON: syntax error at byte 2"));
  EXPECT_FALSE(FromJson(kGame<Position>, std::string(100000, '[')).ok());
}

}  // namespace
}  // namespace triarch::triumvirate
