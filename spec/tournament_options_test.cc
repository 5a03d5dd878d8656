#include "spec/tournament_options.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/record/clock_text.h"
#include "core/record/spec_words.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/option_reference.h"
#include "spec/option_values.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ReadWholeFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(TournamentOptionsTest, KeysAreUniqueAndComplete) {
  std::set<std::string> keys;
  for (const Option& option : TournamentOptions()) {
    EXPECT_TRUE(keys.insert(std::string(option.key)).second) << option.key;
    EXPECT_FALSE(option.help.ends_with('.')) << option.key;
    EXPECT_TRUE(option.needs.empty() || FindOption(option.needs) != nullptr) << option.key;
    EXPECT_EQ(option.field.get == nullptr, option.field.set == nullptr) << option.key;
  }
}

// `triarch run` has the flags of all modes but best-of and tune, which have commands of their own.
TEST(TournamentOptionsTest, TheFlagsOfACommandAreUnique) {
  const std::vector<std::vector<OptionMode>> commands = {
      {OptionMode::kTournament, OptionMode::kSelfplay, OptionMode::kTest},
      {OptionMode::kBestOf},
      {OptionMode::kTune}};
  for (const std::vector<OptionMode>& modes : commands) {
    std::set<std::string> flags = {"--bots"};
    for (const Option& option : TournamentOptions()) {
      const bool is_of_command = option.mode == OptionMode::kAny ||
                                 std::find(modes.begin(), modes.end(), option.mode) != modes.end();
      if (!option.has_flag || !is_of_command) continue;
      EXPECT_TRUE(flags.insert(FlagName(option)).second) << option.key;
    }
  }
}

TEST(TournamentOptionsTest, FlagsAreKeysWithoutTheirSection) {
  EXPECT_EQ(FlagName(*FindOption("seed")), "--seed");
  EXPECT_EQ(FlagName(*FindOption("time_control.tc")), "--tc");
  EXPECT_EQ(FlagName(*FindOption("openings.set")), "--opening-set");
  EXPECT_EQ(FlagName(*FindOption("selfplay.noise.alpha")), "--noise-alpha");
}

TEST(TournamentOptionsTest, ListsTheKeysOfASection) {
  EXPECT_TRUE(IsSection("selfplay"));
  EXPECT_TRUE(IsSection("selfplay.noise"));
  EXPECT_FALSE(IsSection("selfplay.noise.alpha"));
  EXPECT_FALSE(IsSection("self"));
  EXPECT_THAT(KeysIn("selfplay.noise"), ElementsAre("alpha", "share"));
  EXPECT_THAT(KeysIn(""), ::testing::IsSupersetOf({"game", "seed", "selfplay", "output"}));
}

// Returns a valid value other than this one.
OptionValue OtherValue(const Option& option, const OptionValue& value) {
  if (const auto* bounds = std::get_if<IntBounds>(&option.type)) {
    return value == OptionValue(bounds->max) ? bounds->min : bounds->max;
  }
  if (const auto* bounds = std::get_if<NumberBounds>(&option.type)) {
    const double half = (bounds->above + bounds->max) / 2;
    return value == OptionValue(half) ? bounds->max : half;
  }
  if (std::holds_alternative<PairBounds>(option.type)) {
    return value == OptionValue(NumberPair{1, 2}) ? NumberPair{-1, 2} : NumberPair{1, 2};
  }
  if (std::holds_alternative<SeedBounds>(option.type)) return uint64_t{12345};
  if (std::holds_alternative<Words>(option.type)) {
    return value == OptionValue(int64_t{1}) ? int64_t{0} : int64_t{1};
  }
  if (std::holds_alternative<ClockType>(option.type)) {
    const ClockSpec clock{.base_ms = 1500, .increment_ms = 20, .moves = 40};
    return value == OptionValue(clock) ? ClockSpec{.base_ms = 1} : clock;
  }
  return std::string("three-way");  // any text, and the game that has all options
}

// Decides which options a spec has.
struct Kind {
  OptionMode mode;
  Format format = Format::kRoundRobin;
};

std::vector<Kind> AllKinds() {
  std::vector<Kind> kinds;
  for (const OptionMode mode :
       {OptionMode::kSelfplay, OptionMode::kTest, OptionMode::kBestOf, OptionMode::kTune}) {
    kinds.push_back({.mode = mode});
  }
  for (size_t format = 0; format < kFormatWords.size(); ++format) {
    kinds.push_back({.mode = OptionMode::kTournament, .format = static_cast<Format>(format)});
  }
  return kinds;
}

bool HasOption(const Kind& kind, const Option& option) {
  if (option.mode != OptionMode::kAny && option.mode != kind.mode) return false;
  return option.field.get != nullptr && (!option.format || option.format == kind.format);
}

// Sets every option that a spec of this kind holds, to a value other than its default.
TournamentSpec SpecWithAll(const Kind& kind) {
  TournamentSpec spec;
  OptionValues values;
  for (const Option& option : TournamentOptions()) {
    if (HasOption(kind, option)) {
      values[option.key] = OtherValue(option, option.field.get(spec));
    }
  }
  values["mode"] = static_cast<int64_t>(kind.mode) - 1;
  if (kind.mode == OptionMode::kTournament) values["format"] = static_cast<int64_t>(kind.format);
  EXPECT_FALSE(FindConflict(values)) << FindConflict(values)->message;
  SetOptions(values, &spec);
  EXPECT_EQ(OptionsOf(spec), values);
  return spec;
}

// These tests also cover rows that are added later, as they name almost no option.
TEST(TournamentOptionsTest, EveryOptionGoesThroughJson) {
  for (const Kind& kind : AllKinds()) {
    const TournamentSpec spec = SpecWithAll(kind);
    const absl::StatusOr<TournamentSpec> read = SpecFromJson(SpecToJson(spec));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(OptionsOf(*read), OptionsOf(spec));
  }
}

void ExpectIdentity(const TournamentSpec& spec, const Kind& kind, const Option& option) {
  TournamentSpec other = spec;
  const OptionValue value = option.field.get(spec);
  if (std::holds_alternative<std::string>(value)) {
    option.field.set(other, OptionValue("another"));
  } else if (std::holds_alternative<uint64_t>(value)) {
    option.field.set(other, OptionValue(uint64_t{6}));
  } else {
    option.field.set(other, OtherValue(option, value));
  }
  // The games of a tuning depend on their number.
  const bool is_identity =
      option.is_identity || (kind.mode == OptionMode::kTune && option.key == "games");
  const std::string difference = SpecDifference(spec, other);
  EXPECT_EQ(!difference.empty(), is_identity) << option.key << ": " << difference;
  EXPECT_TRUE(!is_identity || difference.find(option.key) != std::string::npos) << difference;
}

TEST(TournamentOptionsTest, EveryIdentityOptionDistinguishesTournaments) {
  for (const Kind& kind : AllKinds()) {
    const TournamentSpec spec = SpecWithAll(kind);
    for (const Option& option : TournamentOptions()) {
      if (!HasOption(kind, option) || option.key == "mode" || option.key == "game") continue;
      ExpectIdentity(spec, kind, option);
    }
  }
}

TEST(TournamentOptionsTest, ValuesOutOfBoundsAreRefusedByTheirKey) {
  EXPECT_EQ(SpecFromJson(R"({"time_control":{"nodes":0}})").status().message(),
            "spec: time_control.nodes is 0; expected a whole number from 1 to 1000000000000");
  EXPECT_EQ(SpecFromJson(R"({"time_control":{"tc":"40/x"}})").status().message(),
            "spec: time_control.tc is \"40/x\"; expected " + std::string(kClockForms));
  EXPECT_THAT(std::string(SpecFromJson(R"({"time_control":{"tc":60}})").status().message()),
              HasSubstr("time_control.tc is 60; expected"));
  EXPECT_EQ(SpecFromJson(R"({"mode":"selfplay","selfplay":{"noise":{"alpha":0,"share":0.5}}})")
                .status()
                .message(),
            "spec: selfplay.noise.alpha is 0; expected a number above 0, at most 1000");
}

TEST(TournamentOptionsTest, FindsConflicts) {
  const auto conflict = [](OptionValues values) {
    const auto found = FindConflict(values);
    return found ? found->message : "";
  };
  EXPECT_EQ(conflict({}), "");
  EXPECT_EQ(conflict({{"adjudication.win_plies", int64_t{5}}}),
            "adjudication.win_plies needs adjudication.win_share (--win-share); give both");
  EXPECT_EQ(conflict({{"mode", int64_t{1}}, {"format", int64_t{0}}}),
            "format applies only to mode: tournament");
  EXPECT_EQ(conflict({{"swiss.rounds", int64_t{5}}}), "swiss.rounds applies only to format: swiss");
  EXPECT_EQ(conflict({{"format", int64_t{3}}, {"adaptive.error", 30.0}}),
            "adaptive.error applies only to format: adaptive");
  EXPECT_EQ(conflict({{"format", int64_t{3}}, {"swiss.rounds", int64_t{5}}}), "");
  EXPECT_EQ(conflict({{"best_of.alpha", 0.1}}), "best_of.alpha applies only to mode: best-of");
  EXPECT_EQ(conflict({{"selfplay.sample_rate", 0.5}}),
            "selfplay.sample_rate applies only to mode: selfplay");
  EXPECT_EQ(conflict({{"game", std::string("tri-d")}, {"insufficient_material", int64_t{1}}}),
            "insufficient_material is not an option of tri-d, whose rules decide it");
}

// With TRIARCH_UPDATE_DOCS in the environment, writes the reference instead.
TEST(TournamentOptionsTest, ReferenceIsUpToDate) {
  const std::string path = TRIARCH_SOURCE_DIR "/docs/tournament-file.md";
  const std::string page = ReadWholeFile(path);
  const std::string begin_mark = "ReferenceIsUpToDate' -->\n";
  const size_t begin = page.find(begin_mark) + begin_mark.size();
  const size_t end = page.find("<!-- /Generated -->");
  ASSERT_LE(begin, end);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("TRIARCH_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << page.substr(0, begin) << OptionReference() << page.substr(end);
    return;
  }
  EXPECT_EQ(page.substr(begin, end - begin), OptionReference())
      << "update docs/tournament-file.md as the comment in it says";
}

}  // namespace
}  // namespace triarch
