#include "selfplay/shard/manifest.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

ShardEntry Entry() {
  return {.shard = "shards/12-000000001000-9f3c.npz",
          .sha256 = std::string(64, '7'),
          .samples = 200'123,
          .bytes = 7'654'321,
          .games = 512,
          .first = 1'000,
          .last = 1'511,
          .format = 1,
          .game = "triumvirate",
          .spec = std::string(64, 'a'),
          .build = "1.0 ü"};
}

TEST(Manifest, ALineRoundTrips) {
  const std::string line = ManifestLine(Entry());
  EXPECT_EQ(line, R"({"shard":"shards/12-000000001000-9f3c.npz","sha256":")" +
                      std::string(64, '7') +
                      R"(","samples":200123,"bytes":7654321,"games":512,"first":1000,)" +
                      R"("last":1511,"format":1,"game":"triumvirate","spec":")" +
                      std::string(64, 'a') + R"(","build":"1.0 \u00fc"})");
  const absl::StatusOr<ShardEntry> again = ParseManifestLine(line);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, Entry());
}

TEST(Manifest, ParsesAWholeFile) {
  const std::string line = ManifestLine(Entry());
  EXPECT_EQ(ParseManifest(line + "\n" + line + "\n", "m.jsonl")->size(), 2u);
  EXPECT_EQ(ParseManifest(line, "m.jsonl")->size(), 1u);
  EXPECT_EQ(ParseManifest("", "m.jsonl")->size(), 0u);
  const auto error_of = [](const std::string& text) {
    return std::string(ParseManifest(text, "m.jsonl").status().message());
  };
  EXPECT_THAT(error_of(line + "\n\n" + line), HasSubstr("m.jsonl:2: not JSON"));
  EXPECT_THAT(error_of(line + "\n" + line.substr(0, 50)), HasSubstr("m.jsonl:2: not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("m.jsonl:1: the document: expected an object"));
}

TEST(Manifest, ErrorsSayWhatIsWrong) {
  const auto error_of = [](const std::string& from, const std::string& to) {
    std::string line = ManifestLine(Entry());
    const size_t at = line.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    line.replace(at, from.size(), to);
    return std::string(ParseManifestLine(line).status().message());
  };
  EXPECT_THAT(error_of("\"format\":1", "\"format\":2"), HasSubstr("/format: expected 1, not 2"));
  EXPECT_THAT(error_of("7777", "777"), HasSubstr("/sha256"));
  EXPECT_THAT(error_of("200123", "-1"), HasSubstr("/samples: expected a non-negative number"));
  EXPECT_THAT(error_of("200123", "1.5"), HasSubstr("/samples"));
  EXPECT_THAT(error_of("\"first\":1000", "\"first\":1512"), HasSubstr("/last"));
  EXPECT_THAT(error_of("\"games\":512", "\"games\":513"), HasSubstr("/games"));
  EXPECT_THAT(error_of("\"games\":512", "\"games\":0"), HasSubstr("/games"));
  EXPECT_THAT(error_of("\"build\"", "\"bild\""), HasSubstr("\"build\" is missing"));
  EXPECT_THAT(error_of("{", "{\"more\":1,"), HasSubstr("unknown key \"more\""));
}

}  // namespace
}  // namespace triarch
