// Tests the files of a static site, over stores with games of all three games.

#include "site/site_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/temporary_folder.h"
#include "site/site_games.h"
#include "site/test_games.h"

namespace triarch::site {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

constexpr int64_t kExported = 12;

std::unique_ptr<Store> MakeStore(const std::string& path, const std::string& game, int64_t games) {
  std::unique_ptr<Store> store = *OpenSqliteStore(path, OpenMode::kCreate);
  const TournamentSpec spec = SpecOfTest(game, games);
  const int64_t id = store->AddTournament(spec, "").value().id;
  for (int64_t i = 0; i < kExported; ++i) {
    const GameRecord record = PlayTestGame(spec, i);
    EXPECT_TRUE(store->Record(id, {&record, 1}).ok());
  }
  return store;
}

class SiteExportTest : public testing::Test {
 protected:
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(place_ / ("site/" + name), std::ios::binary).rdbuf();
    return text.str();
  }
  // Returns what a file of data passes on, by key.
  std::map<std::string, Json> Data(const std::string& name) const {
    constexpr std::string_view kCall = "triarchData(";
    std::map<std::string, Json> data;
    const std::string text = Read("data/" + name + ".js");
    for (size_t at = 0; at < text.size();) {
      EXPECT_EQ(text.substr(at, kCall.size()), kCall);
      const size_t end = std::min(text.find("\n" + std::string(kCall), at), text.size() - 1) + 1;
      const std::string call = text.substr(at + kCall.size(), end - at - kCall.size());
      EXPECT_TRUE(call.ends_with(");\n"));
      const Json arguments = Json::parse("[" + call.substr(0, call.size() - 3) + "]");
      data[arguments.at(0)] = arguments.at(1);
      at = end;
    }
    return data;
  }
  Json One(const std::string& name) const { return Data(name).at(name); }

  TemporaryFolder place_;
  SiteFolder folder_ = *SiteFolder::Create(place_ / "site");
  bool is_ending_ = false;
  SiteExport export_{folder_, [this] { return is_ending_; }};
};

TEST_F(SiteExportTest, WritesThePageWithItsPolicyAndThePlaceOfTheData) {
  const std::vector<PageFile> files = {{"/index.html", "<html><head><p>", ""},
                                       {"/assets/a.js", "let a;", ""}};
  ASSERT_TRUE(export_.WritePage(files).ok());
  ASSERT_TRUE(folder_.Commit().ok());
  EXPECT_EQ(Read("assets/a.js"), "let a;");
  EXPECT_THAT(Read("index.html"),
              HasSubstr("<head>\n    <meta http-equiv=\"Content-Security-Policy\" "
                        "content=\"default-src 'self'; "));
  EXPECT_THAT(Read("index.html"), HasSubstr("\"></script><p>"));
  EXPECT_THAT(Read("index.html"), Not(HasSubstr("frame-ancestors"))) << "a page cannot say this";
  EXPECT_EQ(Read("data/site.js"), "var triarchSite = {\"listed\":200,\"games_in_file\":10};\n");
  for (const GameInfo* const info : AllGames()) {
    const std::string name(info->name);
    EXPECT_TRUE(One("geometry/" + name).contains("cells"));
    EXPECT_EQ(One("start/" + name)["text"], AnyState::Start(name, "")->ToString());
    EXPECT_THAT(One("rules/" + name).get<std::string>(), HasSubstr("# "));
  }
}

TEST_F(SiteExportTest, WithoutAPageThereIsNoSite) {
  const absl::Status status = export_.WritePage({});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("./run.sh --web"));
}

TEST_F(SiteExportTest, WritesTheAnswersOfTheApiUnderNewIds) {
  const auto first = MakeStore(place_ / "a.db", "tri-d", kExported);
  const auto second = MakeStore(place_ / "b.db", "triumvirate", kExported);
  ASSERT_TRUE(export_.AddStore(*first).ok());
  ASSERT_TRUE(export_.AddStore(*second).ok());
  ASSERT_TRUE(export_.Finish().ok() && folder_.Commit().ok());
  EXPECT_EQ(export_.games(), 2 * kExported);

  const Json all = One("tournaments");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["game"], "triumvirate") << "the newest first";
  EXPECT_EQ(all[0]["id"], 2);
  EXPECT_EQ(One("tournaments/2")["bots"][1]["name"], "<b>bob</b>");
  EXPECT_EQ(One("tournaments/2/standings")["games"]["recorded"], kExported);
  const StoredTournament stored = *second->Tournament(1);
  EXPECT_EQ(One("tournaments/2/games/page-0"), *ListGames(*second, stored, {{"limit", "200"}}));

  for (int64_t index = 0; index < kExported; ++index) {
    const auto data = Data(absl::StrFormat("tournaments/2/games/file-%d", index / 10));
    Json expected = *ShowGame(*second, stored, index);
    expected["tournament"]["id"] = 2;
    const std::string key = absl::StrFormat("tournaments/2/games/%d", index);
    EXPECT_EQ(data.at(key), expected);
    EXPECT_EQ(data.at(key + "/tpgn"), *ShowTpgn(*second, stored, index));
  }
  EXPECT_EQ(Data("tournaments/2/games/file-0").size(), 20u) << "ten games, each with its TPGN";
}

TEST_F(SiteExportTest, LeavesOutWhatGoesOn) {
  const auto store = MakeStore(place_ / "a.db", "tri-d", 2 * kExported);
  ASSERT_TRUE(export_.AddStore(*store).ok());
  ASSERT_EQ(export_.left_out().size(), 1u);
  EXPECT_EQ(export_.Finish().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(store->SetState(1, TournamentState::kCancelled).ok());
  ASSERT_TRUE(export_.AddStore(*store).ok());
  EXPECT_TRUE(export_.Finish().ok());
  EXPECT_EQ(export_.games(), kExported);
}

TEST_F(SiteExportTest, EndsWhenItIsAsked) {
  const auto store = MakeStore(place_ / "a.db", "tri-d", kExported);
  is_ending_ = true;
  EXPECT_EQ(export_.AddStore(*store).code(), absl::StatusCode::kCancelled);
}

TEST(DataScript, NoTextEndsTheScript) {
  EXPECT_EQ(DataScript("a/1", "{\"b\":\"</script>\xE2\x80\xA8\xE2\x80\xA9\"}"),
            "triarchData(\"a/1\", {\"b\":\"<\\/script>\\u2028\\u2029\"});\n");
}

}  // namespace
}  // namespace triarch::site
