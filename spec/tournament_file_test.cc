#include "spec/tournament_file.h"

#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/test_tournaments.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TournamentFileTest, ReadsTheSample) {
  const TournamentSpec spec = MustParse(R"(
game: triumvirate
start: document            # a named start
bots:
  - random                 # a bundled bot with its defaults, named as itself
  - {name: p3, bot: paranoid, depth: 3}
  - {name: quick, bot: mcts, nodes: 2000}
format: round_robin        # or gauntlet
games: 600                 # or cycles: 2
seed: 7
openings: {random_plies: 4}
adjudication: {plies_max: 1200}
draws: automatic
slots: 2
output: {db: quickstart.db, tpgn: quickstart.tpgn}
)");
  EXPECT_EQ(spec.game, "triumvirate");
  EXPECT_EQ(spec.start, "") << "the default by its name";
  EXPECT_THAT(spec.bots, ElementsAre(BotSpec{"random", "random", {}},
                                     BotSpec{"p3", "paranoid", {{"depth", "3"}}},
                                     BotSpec{"quick", "mcts", {{"nodes", "2000"}}}));
  EXPECT_EQ(spec.games, 600);
  EXPECT_EQ(spec.seed, 7u);
  EXPECT_EQ(spec.openings.random_plies, 4);
  EXPECT_EQ(spec.slots, 2);
  EXPECT_EQ(spec.db, "quickstart.db");
  EXPECT_EQ(spec.tpgn, "quickstart.tpgn");
}

TEST(TournamentFileTest, Defaults) {
  const TournamentSpec spec = MustParse(kHead);
  EXPECT_EQ(spec.name, "Triumvirate tournament");
  EXPECT_EQ(spec.format, Format::kRoundRobin);
  EXPECT_EQ(spec.games, 6) << "one round";
  EXPECT_EQ(spec.seed, 1u);
  EXPECT_EQ(spec.openings.random_plies, 4);
  EXPECT_EQ(spec.time_control, TimeControl());
  EXPECT_EQ(spec.adjudication, Adjudication());
  EXPECT_EQ(spec.draw_rules, DrawRules());
  EXPECT_EQ(spec.anchor, "");
  EXPECT_EQ(spec.slots, 0);
  EXPECT_EQ(spec.db, "");
}

TEST(TournamentFileTest, EveryOtherKey) {
  const TournamentSpec spec = MustParse(R"(
name: Everything
game: triumvirate
start: server
bots: [random, paranoid, mcts, "paranoid:depth=2"]
format: gauntlet
cycles: 2
seed: 18446744073709551615
time_control: {nodes: 5, depth: 2, movetime_ms: 3, tc: 60+0.1, margin_ms: 0, clock: cpu}
adjudication: {win_share: 0.9, win_plies: 8}
draws: claimed
anchor: random
)");
  EXPECT_EQ(spec.name, "Everything");
  EXPECT_EQ(spec.start, "server");
  EXPECT_EQ(spec.format, Format::kGauntlet);
  EXPECT_EQ(spec.games, 2 * 3 * 6);
  EXPECT_EQ(spec.seed, 18446744073709551615u);
  EXPECT_EQ(spec.time_control,
            (TimeControl{.nodes = 5,
                         .depth = 2,
                         .movetime_ms = 3,
                         .clock = ClockSpec{.base_ms = 60'000, .increment_ms = 100},
                         .margin_ms = 0,
                         .charges_cpu = true}));
  EXPECT_EQ(spec.adjudication.win_share, 0.9);
  EXPECT_EQ(spec.adjudication.win_plies, 8);
  EXPECT_EQ(spec.draw_rules.draws, Draws::kClaimed);
  EXPECT_EQ(spec.anchor, "random");
}

TEST(TournamentFileTest, ClocksAsPeopleWriteThem) {
  const ClockSpec clock{.base_ms = 150'000, .increment_ms = 500, .moves = 40};
  for (const char* line : {"time_control: {tc: 40/2:30+0.5}", "time_control: 40/150+0.5",
                           "time_control: {tc: \"40/150+0.50\"}"}) {
    EXPECT_EQ(MustParse(kHead + std::string(line)).time_control, TimeControl{.clock = clock});
  }
  EXPECT_EQ(
      ErrorAfterHead("time_control: 40-120"),
      "dir/t.yaml:3:15: time_control is \"40-120\"; TIME \"40-120\" is not from 0.001 to "
      "1000000 seconds; expected [MOVES/]TIME[+INCREMENT] with seconds or MINUTES:SECONDS, as "
      "in 60+0.6, 40/120 or 2:30+1");
  EXPECT_THAT(ErrorAfterHead("time_control: {tc: 0/60}"),
              HasSubstr("3:20: time_control.tc is \"0/60\"; MOVES \"0\" is not a whole number"));
}

TEST(TournamentFileTest, OpeningsFromPositions) {
  const std::string start = AnyState::Start("triumvirate", "")->ToString();
  const TournamentSpec spec =
      MustParse(kHead + absl::StrFormat("openings: {positions: ['%s']}", start));
  EXPECT_EQ(spec.openings.random_plies, 0);
  ASSERT_EQ(spec.openings.lines.size(), 1u);
  EXPECT_EQ(spec.openings.lines[0].position, start);
  EXPECT_THAT(ErrorAfterHead("openings: {positions: [nonsense]}"),
              HasSubstr("dir/t.yaml:3:24: position: "));
  EXPECT_EQ(ErrorAfterHead("openings: {positions: []}"),
            "dir/t.yaml:3:23: openings.positions is empty; expected a list of texts");
}

TEST(TournamentFileTest, OpeningsFromTpgn) {
  const TournamentSpec spec = MustParse(kHead + std::string("openings: {tpgn: book.tpgn}"));
  EXPECT_EQ(spec.openings.random_plies, 0);
  ASSERT_EQ(spec.openings.lines.size(), 2u);
  EXPECT_THAT(spec.openings.lines[0].moves, ElementsAre("E2-E4"));
  EXPECT_THAT(spec.openings.lines[1].moves, ElementsAre("D2-D4"));
  EXPECT_EQ(ErrorAfterHead("openings: {tpgn: none.tpgn}"),
            "dir/t.yaml:3:18: cannot read dir/none.tpgn");
  EXPECT_THAT(ErrorAfterHead("openings: {tpgn: bad.tpgn, plies: 4}"),
              HasSubstr("dir/t.yaml:3:18: dir/bad.tpgn: line 3: "));
  EXPECT_THAT(ErrorAfterHead("openings: {tpgn: empty.tpgn}"), HasSubstr("the file has no game"));
}

TEST(TournamentFileTest, FaultsOfTheWholeFile) {
  EXPECT_EQ(ErrorOf(""),
            "dir/t.yaml:1:1: the file is empty; expected a map, one \"key: value\" per line");
  EXPECT_THAT(ErrorOf("# nothing\n"), HasSubstr("the file is empty"));
  EXPECT_EQ(ErrorOf("- random\n"),
            "dir/t.yaml:1:1: the file is a list; expected a map {key: value}");
  EXPECT_EQ(ErrorOf("hello"), "dir/t.yaml:1:1: the file is text; expected a map {key: value}");
  EXPECT_THAT(ErrorOf("game: [\n"), HasSubstr("dir/t.yaml:2:1: not YAML: "));
  EXPECT_THAT(ErrorOf("game: triumvirate\n\tbots: x\n"), HasSubstr("not YAML: "));
  EXPECT_THAT(
      ErrorOf("game: triumvirate\nbots:\n  - name: mine\n  command: [./bot]\n"),
      HasSubstr("t.yaml:4:3: not YAML: end of map not found; the line is indented by 2, like "
                "the \"-\" above; expected 4, the column of the key after the \"-\""));
  EXPECT_THAT(ErrorOf(std::string(kHead) + "---\nseed: 1\n"), HasSubstr("a second document"));
  EXPECT_THAT(ErrorOf(std::string(5000, '[')), HasSubstr("not YAML: "));
  EXPECT_EQ(ErrorOf("bots: [random]"), "dir/t.yaml:1:1: game is missing; expected a game's name");
  EXPECT_EQ(ErrorOf("game: triumvirate"),
            "dir/t.yaml:1:1: bots is missing; expected a list of bots");
}

TEST(TournamentFileTest, SuggestsKeysForUnknownOnes) {
  EXPECT_EQ(ErrorAfterHead("sede: 7"),
            "dir/t.yaml:3:1: unknown key \"sede\"; did you mean \"seed\"?");
  EXPECT_EQ(ErrorAfterHead("time_control: {node: 7}"),
            "dir/t.yaml:3:16: unknown key \"time_control.node\"; did you mean \"nodes\"?");
  EXPECT_THAT(ErrorAfterHead("colour: red"), HasSubstr("expected one of game, mode, name, start"));
  EXPECT_EQ(ErrorAfterHead("openings: {sth: 7}"),
            "dir/t.yaml:3:12: unknown key \"openings.sth\"; expected one of random_plies, set, "
            "positions, tpgn, plies");
}

TEST(TournamentFileTest, RefusesADuplicateKey) {
  EXPECT_EQ(ErrorAfterHead("seed: 1\nseed: 2"),
            "dir/t.yaml:4:1: seed is given twice; expected once");
  EXPECT_EQ(ErrorAfterHead("output: {db: a, db: b}"),
            "dir/t.yaml:3:17: output.db is given twice; expected once");
}

TEST(TournamentFileTest, WrongTypes) {
  EXPECT_EQ(ErrorAfterHead("games: many"),
            "dir/t.yaml:3:8: games is \"many\"; expected a whole number from 1 to "
            "1000000000000000");
  EXPECT_THAT(ErrorAfterHead("games: [1]"), HasSubstr("3:8: games is a list; expected"));
  EXPECT_THAT(ErrorAfterHead("games:"), HasSubstr("3:1: games is empty; expected"));
  EXPECT_THAT(ErrorAfterHead("games: 1.5"), HasSubstr("games is \"1.5\"; expected"));
  EXPECT_EQ(ErrorAfterHead("name: {a: b}"),
            "dir/t.yaml:3:7: name is a map; expected text without control characters");
  EXPECT_EQ(ErrorAfterHead("openings: 3"),
            "dir/t.yaml:3:11: openings is text; expected a map {key: value}");
  EXPECT_EQ(ErrorAfterHead("output:"),
            "dir/t.yaml:3:1: output is empty; expected a map {key: value}");
  EXPECT_THAT(ErrorAfterHead("seed: -1"), HasSubstr("3:7: seed is \"-1\"; expected a whole"));
  EXPECT_THAT(ErrorAfterHead("? [a]\n: 1"), HasSubstr("a key is a list; expected a word"));
}

TEST(TournamentFileTest, OutOfRange) {
  for (const char* line :
       {"games: 0", "games: 99999999999999999999", "cycles: 0", "cycles: 900000000000000",
        "slots: -1", "slots: 100000", "seed: 18446744073709551616", "openings: {random_plies: 201}",
        "openings: {tpgn: book.tpgn, plies: 0}", "adjudication: {plies_max: 0}",
        "time_control: {nodes: 0}", "time_control: {depth: 0}", "time_control: {movetime_ms: 0}",
        "time_control: {margin_ms: -1}"}) {
    EXPECT_THAT(ErrorAfterHead(line), HasSubstr("; expected a whole number from ")) << line;
  }
  EXPECT_THAT(ErrorAfterHead("adjudication: {win_share: 0.5}"),
              HasSubstr("expected a number above 0.5, at most 1"));
  EXPECT_THAT(ErrorAfterHead("adjudication: {win_share: nan}"), HasSubstr("expected a number"));
}

TEST(TournamentFileTest, UnknownWords) {
  EXPECT_EQ(ErrorOf("game: triumvrate\nbots: [random]"),
            "dir/t.yaml:1:7: game is \"triumvrate\"; did you mean \"triumvirate\"?");
  EXPECT_THAT(ErrorOf("game: go\nbots: []"), HasSubstr("expected one of triumvirate"));
  EXPECT_THAT(ErrorAfterHead("start: nowhere"), HasSubstr("3:8: start is \"nowhere\"; exp"));
  EXPECT_EQ(ErrorAfterHead("format: ladder"),
            "dir/t.yaml:3:9: format is \"ladder\"; expected one of round_robin, gauntlet, "
            "adaptive, swiss, "
            "knockout, league");
  EXPECT_EQ(ErrorAfterHead("draws: claim"),
            "dir/t.yaml:3:8: draws is \"claim\"; did you mean \"claimed\"?");
  EXPECT_EQ(ErrorAfterHead("anchor: stranger"),
            "dir/t.yaml:3:9: anchor \"stranger\" is not a bot of this tournament; expected one of "
            "random, paranoid, mcts");
}

TEST(TournamentFileTest, InsufficientMaterialIsNotAnOptionWhereTheRulesDecide) {
  for (const char* word : {"on", "off"}) {
    EXPECT_EQ(ErrorAfterHead(std::string("insufficient_material: ") + word),
              "dir/t.yaml:3:24: insufficient_material is not an option of triumvirate, whose rules "
              "decide it");
  }
}

constexpr char kThreeWayHead[] = "game: three-way\nbots: [random, paranoid, mcts]\n";

TEST(TournamentFileTest, InsufficientMaterialOfThreeWay) {
  const std::string head = kThreeWayHead;
  EXPECT_FALSE(MustParse(head).draw_rules.insufficient_material);
  EXPECT_TRUE(MustParse(head + "insufficient_material: on").draw_rules.insufficient_material);
  EXPECT_FALSE(MustParse(head + "insufficient_material: off").draw_rules.insufficient_material);
  for (const char* word : {"yes", "true", "no"}) {
    EXPECT_EQ(
        ErrorOf(head + "insufficient_material: " + word),
        absl::StrFormat("dir/t.yaml:3:24: insufficient_material is \"%s\"; expected one of off, on",
                        word))
        << word;
  }
  EXPECT_EQ(ErrorOf(head + "insufficient_material:"),
            "dir/t.yaml:3:1: insufficient_material is empty; expected one of off, on");
}

TEST(TournamentFileTest, Conflicts) {
  EXPECT_EQ(ErrorAfterHead("games: 5\ncycles: 5"), "dir/t.yaml:4:9: give either games or cycles");
  EXPECT_THAT(ErrorAfterHead("openings: {random_plies: 4, tpgn: book.tpgn}"),
              HasSubstr("3:35: give either openings.random_plies or openings.tpgn"));
  EXPECT_THAT(ErrorAfterHead("openings: {plies: 4}"),
              HasSubstr("openings.plies needs openings.tpgn"));
  EXPECT_THAT(ErrorAfterHead("time_control: {movetime_ms: 4, clock: sun}"),
              HasSubstr("time_control.clock is \"sun\"; expected one of wall, cpu"));
  EXPECT_THAT(
      ErrorAfterHead("time_control: {clock: cpu}"),
      HasSubstr("3:23: time_control.clock: cpu needs a time to count; give tc or movetime_ms"));
  EXPECT_THAT(ErrorAfterHead("adjudication: {win_plies: 4}"),
              HasSubstr("adjudication.win_plies needs adjudication.win_share"));
}

constexpr char kSelfplayHead[] = "game: triumvirate\nmode: selfplay\nbots: [mcts]\n";

std::string SelfplayError(const std::string& lines) {
  return ErrorOf(kSelfplayHead + lines + "\noutput: {data: d}\n");
}

TEST(TournamentFileTest, ReadsSelfplay) {
  const TournamentSpec spec = MustParse(R"(
game: triumvirate
mode: selfplay
bots:
  - {bot: mcts, nodes: 64, weight: 3}
  - random
games: 1000000000
time_control: {nodes: 600}
selfplay:
  temperature: [[0, 1.0], [30, 0.25], [60, 0]]
  noise: {alpha: 0.3, share: 0.25}
  full_search: {share: 0.25, fast_nodes: 100}
  resign: {below: 0.03, turns: 4, played_out: 0.2}
  sample_rate: 0.5
  drop_duplicates: off
  shard_samples: 1000
  compression: stored
output: {data: s3://bucket/run}
)");
  ASSERT_NE(spec.selfplay, nullptr);
  SelfplaySpec expected;
  expected.temperature = {{0, 1.0}, {30, 0.25}, {60, 0}};
  expected.noise_alpha = 0.3;
  expected.noise_share = 0.25;
  expected.full_share = 0.25;
  expected.fast_nodes = 100;
  expected.resign_below = 0.03;
  expected.resign_turns = 4;
  expected.played_out_share = 0.2;
  expected.sample_rate = 0.5;
  expected.drops_duplicates = false;
  expected.shard_samples = 1000;
  expected.is_deflated = false;
  EXPECT_EQ(*spec.selfplay, expected);
  EXPECT_EQ(spec.bots[0].weight, 3);
  EXPECT_EQ(spec.bots[1].weight, 1);
  EXPECT_EQ(spec.data, "s3://bucket/run");
  EXPECT_EQ(spec.name, "Triumvirate self-play");
  EXPECT_EQ(spec.bots[0].name, "mcts:nodes=64");
  EXPECT_EQ(spec.games, 1'000'000'000);
}

TEST(TournamentFileTest, SelfplayMayHaveAName) {
  const std::string head(kSelfplayHead);
  EXPECT_EQ(MustParse("name: run 7\n" + head + "output: {data: d}\n").name, "run 7");
}

TEST(TournamentFileTest, OneBotIsEnoughForSelfplay) {
  const TournamentSpec spec = MustParse(std::string(kSelfplayHead) + "output: {data: d}\n");
  ASSERT_NE(spec.selfplay, nullptr);
  SelfplaySpec expected;
  EXPECT_EQ(*spec.selfplay, expected);
  EXPECT_EQ(spec.games, 1);
}

TEST(TournamentFileTest, FaultsOfSelfplay) {
  EXPECT_EQ(ErrorAfterHead("mode: selfpley"),
            "dir/t.yaml:3:7: mode is \"selfpley\"; did you mean \"selfplay\"?");
  EXPECT_EQ(ErrorAfterHead("selfplay: {sample_rate: 0.5}"),
            "dir/t.yaml:3:25: selfplay.sample_rate applies only to mode: selfplay");
  EXPECT_THAT(ErrorAfterHead("output: {data: d}"),
              HasSubstr("3:16: output.data applies only to mode: selfplay"));
  EXPECT_THAT(ErrorAfterHead("mode: selfplay"), HasSubstr("3:7: mode: selfplay needs output.data"));
  EXPECT_THAT(ErrorOf("game: triumvirate\nbots: [{bot: mcts, weight: 2}, random, paranoid]"),
              HasSubstr("unknown option weight"));
  EXPECT_THAT(SelfplayError("format: gauntlet"),
              HasSubstr("format applies only to mode: tournament"));
  EXPECT_THAT(SelfplayError("anchor: mcts"), HasSubstr("anchor applies only to mode: tournament"));
  EXPECT_THAT(SelfplayError("selfplay: {noise: {alpha: 0.3}}"),
              HasSubstr("alpha needs selfplay.noise.share (--noise-share); give both"));
  EXPECT_THAT(SelfplayError("selfplay: {full_search: {fast_nodes: 3}}"),
              HasSubstr("fast_nodes needs selfplay.full_search.share (--full-search-share)"));
  EXPECT_THAT(SelfplayError("selfplay: {resign: {turns: 3}}"),
              HasSubstr("selfplay.resign.turns needs selfplay.resign.below"));
  EXPECT_THAT(SelfplayError("selfplay: {temperature: 1}"),
              HasSubstr("4:25: selfplay.temperature is text; expected a list of pairs"));
  EXPECT_THAT(SelfplayError("selfplay: {temperature: [[0, 1], [0, 2]]}"),
              HasSubstr("plies \"0\"; expected a whole number from 1 to"));
  EXPECT_THAT(SelfplayError("selfplay: {temperature: [[0, -1]]}"),
              HasSubstr("temperature \"-1\"; expected a number from 0 to 100"));
  EXPECT_THAT(SelfplayError("selfplay: {drop_duplicates: maybe}"),
              HasSubstr("drop_duplicates is \"maybe\"; expected one of off, on"));
  EXPECT_THAT(SelfplayError("selfplay: {compression: zip}"),
              HasSubstr("compression is \"zip\"; expected one of stored, deflate"));
  EXPECT_THAT(SelfplayError("selfplay: {sample_rate: 2}"), HasSubstr("expected a number above 0"));
  EXPECT_THAT(SelfplayError("selfplay: {shard_samples: 0}"), HasSubstr("whole number from 1 to"));
  EXPECT_THAT(SelfplayError("selfplay: {nois: 1}"),
              HasSubstr("unknown key \"selfplay.nois\"; did you mean \"noise\"?"));
}

}  // namespace
}  // namespace triarch
