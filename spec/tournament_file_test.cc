#include "spec/tournament_file.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/bot_flag.h"
#include "spec/spec_json.h"
#include "spec/tournament_draft.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Knows random without options, paranoid and mcts with depth and nodes, whole numbers, and torch
// with a model.
absl::Status CheckBot(std::string_view game, const BotSpec& bot) {
  EXPECT_FALSE(game.empty());
  if (bot.bot == kPluginBot || bot.bot == kProcessBot) {
    if (bot.command == std::vector<std::string>{"fails"}) {
      return absl::InternalError("it does not start");
    }
    if (!bot.options.contains("bad")) return absl::OkStatus();
    return absl::InvalidArgumentError("unknown option bad");
  }
  if (bot.bot == "random" && bot.options.empty()) return absl::OkStatus();
  if (bot.bot == kTorchBot) {
    if (bot.options.contains("model")) return absl::OkStatus();
    return absl::InvalidArgumentError("no model");
  }
  if (bot.bot != "paranoid" && bot.bot != "mcts" && bot.bot != "random") {
    return absl::InvalidArgumentError("unknown bot " + bot.bot);
  }
  for (const auto& [option, value] : bot.options) {
    if ((option != "depth" && option != "nodes") || bot.bot == "random") {
      return absl::InvalidArgumentError("unknown option " + option);
    }
    if (value.find_first_not_of("0123456789") != std::string::npos) {
      return absl::InvalidArgumentError("option " + option + " is " + value);
    }
  }
  return absl::OkStatus();
}

constexpr char kBook[] = R"([Variant "Triumvirate"]

1. E2-E4 *

[Event "second"]

1. D2-D4 *
)";

absl::StatusOr<std::string> ReadBook(const std::string& path) {
  if (path == "dir/book.tpgn") return std::string(kBook);
  if (path == "dir/bad.tpgn") return std::string("[Event \"x\"]\n\n1. E2-E9 *\n");
  if (path == "dir/empty.tpgn") return std::string();
  return absl::NotFoundError("cannot read " + path);
}

absl::StatusOr<std::string> DigestBot(const BotSpec& bot) {
  const bool is_torch = bot.bot == kTorchBot;
  const std::string& path = is_torch              ? bot.options.at("model")
                            : bot.library.empty() ? bot.dir
                                                  : bot.library;
  if (path.ends_with("missing")) return absl::NotFoundError(path + ": there is no such file");
  return "digest of " + path.substr(path.rfind('/') + 1);
}

absl::StatusOr<FoundBundle> FindBundle(const std::string& folder, const std::string& name) {
  if (name == "./mine-2") {
    return FoundBundle{.manifest = {.name = "mine",
                                    .version = "2",
                                    .type = "process",
                                    .command = {"./bot"},
                                    .games = {"tri-d"}},
                       .digest = "aa94c1b77",
                       .dir = folder};
  }
  if (name == "net") {
    return FoundBundle{.manifest = {.name = "net",
                                    .version = "7",
                                    .type = "torch",
                                    .model = "m.pt",
                                    .games = {"tri-d"},
                                    .options = {{"leaves", "4"}}},
                       .digest = "bb94c1b77",
                       .dir = folder};
  }
  if (name != "mine" && name != "./mine") return absl::NotFoundError("no bundle " + name);
  return FoundBundle{.manifest = {.name = "mine",
                                  .version = "1.2",
                                  .type = "process",
                                  .command = {"python3", "bot.py"},
                                  .games = {"tri-d"},
                                  .options = {{"level", "low"}, {"depth", "1"}}},
                     .digest = "3fa94c1b77",
                     .dir = folder};
}

TournamentHooks Hooks() {
  return {.check_bot = CheckBot,
          .digest_bot = DigestBot,
          .find_bundle = FindBundle,
          .read_file = ReadBook};
}

absl::StatusOr<TournamentSpec> Parse(const std::string& text) {
  return ParseTournamentFile(text, "dir/t.yaml", Hooks());
}

TournamentSpec MustParse(const std::string& text) {
  absl::StatusOr<TournamentSpec> spec = Parse(text);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.value_or(TournamentSpec());
}

// The message of a file that is refused.
std::string ErrorOf(const std::string& text) {
  const absl::Status status = Parse(text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  const std::string message(status.message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

constexpr char kHead[] = "game: triumvirate\nbots: [random, paranoid, mcts]\n";

// The message for the third line and what follows.
std::string ErrorAfterHead(const std::string& lines) { return ErrorOf(kHead + lines); }

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

// Paths are relative to the file, which lies in dir.
TEST(TournamentFileTest, UserSuppliedBots) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {name: plug, library: ./bots/../mine.so, depth: 3}
  - {name: proc, command: [python3, bot.py], dir: mine, level: high}
  - {name: bare, command: [/usr/bin/engine], sandbox: none}
)");
  const std::string dir = std::filesystem::absolute("dir").string();
  EXPECT_THAT(spec.bots, ElementsAre(BotSpec{.name = "plug",
                                             .bot = "plugin",
                                             .options = {{"depth", "3"}},
                                             .library = dir + "/mine.so",
                                             .digest = "digest of mine.so"},
                                     BotSpec{.name = "proc",
                                             .bot = "process",
                                             .options = {{"level", "high"}},
                                             .command = {"python3", "bot.py"},
                                             .dir = dir + "/mine",
                                             .digest = "digest of mine"},
                                     BotSpec{.name = "bare",
                                             .bot = "process",
                                             .command = {"/usr/bin/engine"},
                                             .is_sandboxed = false}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
}

// A torch bot's model is a file like a library: a path relative to the file, and a digest.
TEST(TournamentFileTest, ModelsOfTorchBots) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {name: new, bot: torch, model: nets/new.pt, nodes: 100}
  - torch:model=/nets/old.pt
)");
  const std::string dir = std::filesystem::absolute("dir").string();
  EXPECT_THAT(spec.bots,
              ElementsAre(BotSpec{.name = "new",
                                  .bot = "torch",
                                  .options = {{"model", dir + "/nets/new.pt"}, {"nodes", "100"}},
                                  .digest = "digest of new.pt"},
                          BotSpec{.name = "torch:model=/nets/old.pt",
                                  .bot = "torch",
                                  .options = {{"model", "/nets/old.pt"}},
                                  .digest = "digest of old.pt"}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {name: x, bot: torch, model: missing}]"),
              HasSubstr("dir/t.yaml:2:45: "));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, torch:model=/missing]"),
              HasSubstr("/missing: there is no such file"));
  TournamentDraft flags;
  flags.values["game"] = std::string("tri-d");
  ASSERT_TRUE(SetBotFlags("torch:model=/nets/old.pt,random", Hooks(), &flags).ok());
  EXPECT_EQ(flags.bots[0].value.digest, "digest of old.pt");
  EXPECT_EQ(flags.bots[1].value.digest, "");
}

TEST(TournamentFileTest, ErrorsOfUserSuppliedBotsHaveTheirPlace) {
  const auto error = [](const std::string& bot) {
    return ErrorOf("game: tri-d\nbots: [random, {name: x, " + bot + "}]");
  };
  EXPECT_EQ(error("bot: random, library: x.so"),
            "dir/t.yaml:2:48: give either bot or library");
  EXPECT_THAT(error("library: missing"), HasSubstr("2:35: "));
  EXPECT_THAT(error("library: missing"), HasSubstr("missing: there is no such file"));
  EXPECT_EQ(error("library: x.so, bad: 1"), "dir/t.yaml:2:46: unknown option bad");
  EXPECT_EQ(error("library: x.so, dir: y"),
            "dir/t.yaml:2:46: dir without command; expected a command too");
  EXPECT_EQ(error("bot: random, sandbox: none"),
            "dir/t.yaml:2:48: sandbox without command; expected a command too");
  EXPECT_THAT(error("command: bot.py"), HasSubstr("2:35: bot.command is text; expected a list of"));
  EXPECT_THAT(error("command: []"),
              HasSubstr("bot.command is an empty list; expected a list of texts"));
  EXPECT_THAT(error("command: [a], sandbox: off"), HasSubstr("unknown sandbox \"off\""));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {library: x.so}]"),
              HasSubstr("2:26: a user-supplied bot needs a name; expected key name too"));
}

// Its own options come before those of its manifest; its name tells what it is.
TEST(TournamentFileTest, BotsFromBundles) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {bundle: mine}
  - {name: high, bundle: ./mine, level: high}
anchor: high
)");
  EXPECT_THAT(spec.bots, ElementsAre(BotSpec{.name = "mine 1.2 (3fa94c1b)",
                                             .bot = "process",
                                             .options = {{"depth", "1"}, {"level", "low"}},
                                             .bundle = "mine@1.2",
                                             .command = {"python3", "bot.py"},
                                             .digest = "3fa94c1b77"},
                                     BotSpec{.name = "high 1.2 (3fa94c1b)",
                                             .bot = "process",
                                             .options = {{"depth", "1"}, {"level", "high"}},
                                             .bundle = "mine@1.2",
                                             .command = {"python3", "bot.py"},
                                             .dir = std::filesystem::absolute("dir/mine").string(),
                                             .digest = "3fa94c1b77"}));
  EXPECT_EQ(spec.anchor, "high 1.2 (3fa94c1b)");
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: yours}]"),
            "dir/t.yaml:2:25: no bundle yours");
  EXPECT_EQ(ErrorOf("game: triumvirate\nbots: [random, mcts, {bundle: mine}]"),
            "dir/t.yaml:2:31: mine@1.2 does not play triumvirate; it plays tri-d");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, sandbox: none}]"),
            "dir/t.yaml:2:40: sandbox without command; expected a command too");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, bad: 1}]"),
            "dir/t.yaml:2:31: mine@1.2 has no option bad; expected one of depth, level");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, dept: 1}]"),
            "dir/t.yaml:2:31: mine@1.2 has no option dept; did you mean \"depth\"?");
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [{bundle: mine}, {bundle: mine}]"), HasSubstr("2:"));
}

// Its model is a file of the bundle, which the digest is of.
TEST(TournamentFileTest, ATorchBotFromABundle) {
  const TournamentSpec spec = MustParse("game: tri-d\nbots: [{bundle: net, nodes: 9}, random]\n");
  EXPECT_EQ(spec.bots[0], (BotSpec{.name = "net 7 (bb94c1b7)",
                                   .bot = "torch",
                                   .options = {{"leaves", "4"}, {"model", "m.pt"}, {"nodes", "9"}},
                                   .bundle = "net@7",
                                   .digest = "bb94c1b77"}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: net, model: other.pt}]"),
            "dir/t.yaml:2:37: net@7 has its own model; expected no model");
}

TEST(TournamentFileTest, AnAnchorMustBeOneBot) {
  const std::string bots = "game: tri-d\nbots: [{bundle: mine}, {name: mine, bundle: ./mine-2}]\n";
  EXPECT_EQ(ErrorOf(bots + "anchor: mine"),
            "dir/t.yaml:3:9: anchor \"mine\" is the name of several bots; expected one of "
            "\"mine 1.2 (3fa94c1b)\", \"mine 2 (aa94c1b7)\"");
  EXPECT_EQ(MustParse(bots + "anchor: mine 2 (aa94c1b7)").anchor, "mine 2 (aa94c1b7)");
}

TEST(TournamentFileTest, ASlipInAKeyOfABotIsNamed) {
  const auto error = [](const std::string& bot) {
    return ErrorOf("game: tri-d\nbots: [random, {" + bot + "}]");
  };
  EXPECT_EQ(error("name: x, comand: [a]"),
            "dir/t.yaml:2:26: unknown key comand; did you mean \"command\"?");
  EXPECT_EQ(error("nmae: x"), "dir/t.yaml:2:17: unknown key nmae; did you mean \"name\"?");
  EXPECT_EQ(error("name: x, level: 3"),
            "dir/t.yaml:2:16: a bot without key bot; expected as in {name: p2, bot: paranoid}, or "
            "library, command or bundle");
  EXPECT_EQ(error("name: x, command: [fails], dri: y, level: 3"),
            "dir/t.yaml:2:44: unknown key dri; did you mean \"dir\"? (it does not start)");
  EXPECT_EQ(error("name: x, command: [fails], level: 3"), "dir/t.yaml:2:35: it does not start");
  EXPECT_EQ(error("bot: paranoid, nmae: x"),
            "dir/t.yaml:2:38: unknown option nmae; did you mean \"name\"?");
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
time_control: {nodes: 5, depth: 2, movetime_ms: 3, clock_ms: 60000, increment_ms: 100, margin_ms: 0,
  clock: cpu}
adjudication: {win_share: 0.9, win_plies: 8}
draws: claimed
anchor: random
)");
  EXPECT_EQ(spec.name, "Everything");
  EXPECT_EQ(spec.start, "server");
  EXPECT_EQ(spec.format, Format::kGauntlet);
  EXPECT_EQ(spec.games, 2 * 3 * 6);
  EXPECT_EQ(spec.seed, 18446744073709551615u);
  EXPECT_EQ(spec.time_control, (TimeControl{.nodes = 5,
                                            .depth = 2,
                                            .movetime_ms = 3,
                                            .clock_ms = 60000,
                                            .increment_ms = 100,
                                            .margin_ms = 0,
                                            .charges_cpu = true}));
  EXPECT_EQ(spec.adjudication.win_share, 0.9);
  EXPECT_EQ(spec.adjudication.win_plies, 8);
  EXPECT_EQ(spec.draw_rules.draws, Draws::kClaimed);
  EXPECT_EQ(spec.anchor, "random");
}

TEST(TournamentFileTest, NamesOfBotsWithoutName) {
  const TournamentSpec spec = MustParse(R"(
game: triumvirate
bots:
  - paranoid:depth=2
  - {bot: paranoid, depth: 3, nodes: 50}
  - paranoid
)");
  EXPECT_EQ(spec.bots[0].name, "paranoid:depth=2");
  EXPECT_EQ(spec.bots[1].name, "paranoid:depth=3:nodes=50");
  EXPECT_EQ(spec.bots[2].name, "paranoid");
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
            "dir/t.yaml:1:1: the file is empty; expected a map, a \"key: value\" a line");
  EXPECT_THAT(ErrorOf("# nothing\n"), HasSubstr("the file is empty"));
  EXPECT_EQ(ErrorOf("- random\n"),
            "dir/t.yaml:1:1: the file is a list; expected a map {key: value}");
  EXPECT_EQ(ErrorOf("hello"), "dir/t.yaml:1:1: the file is text; expected a map {key: value}");
  EXPECT_THAT(ErrorOf("game: [\n"), HasSubstr("dir/t.yaml:2:1: not YAML: "));
  EXPECT_THAT(ErrorOf("game: triumvirate\n\tbots: x\n"), HasSubstr("not YAML: "));
  EXPECT_THAT(ErrorOf(std::string(kHead) + "---\nseed: 1\n"), HasSubstr("a second document"));
  EXPECT_THAT(ErrorOf(std::string(5000, '[')), HasSubstr("not YAML: "));
  EXPECT_EQ(ErrorOf("bots: [random]"), "dir/t.yaml:1:1: game is missing; expected a game's name");
  EXPECT_EQ(ErrorOf("game: triumvirate"),
            "dir/t.yaml:1:1: bots is missing; expected a list of bots");
}

TEST(TournamentFileTest, UnknownKeysAreCompared) {
  EXPECT_EQ(ErrorAfterHead("sede: 7"),
            "dir/t.yaml:3:1: unknown key \"sede\"; did you mean \"seed\"?");
  EXPECT_EQ(ErrorAfterHead("time_control: {node: 7}"),
            "dir/t.yaml:3:16: unknown key \"time_control.node\"; did you mean \"nodes\"?");
  EXPECT_THAT(ErrorAfterHead("colour: red"), HasSubstr("expected one of game, mode, name, start"));
  EXPECT_EQ(
      ErrorAfterHead("openings: {sth: 7}"),
      "dir/t.yaml:3:12: unknown key \"openings.sth\"; expected one of random_plies, positions, "
      "tpgn, plies");
}

TEST(TournamentFileTest, AKeyTwice) {
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
  EXPECT_THAT(ErrorAfterHead("games:"), HasSubstr("3:1: games is nothing; expected"));
  EXPECT_THAT(ErrorAfterHead("games: 1.5"), HasSubstr("games is \"1.5\"; expected"));
  EXPECT_EQ(ErrorAfterHead("name: {a: b}"),
            "dir/t.yaml:3:7: name is a map; expected text without control characters");
  EXPECT_EQ(ErrorAfterHead("time_control: 3"),
            "dir/t.yaml:3:15: time_control is text; expected a map {key: value}");
  EXPECT_EQ(ErrorAfterHead("output:"),
            "dir/t.yaml:3:1: output is nothing; expected a map {key: value}");
  EXPECT_THAT(ErrorAfterHead("seed: -1"), HasSubstr("3:7: seed is \"-1\"; expected a whole"));
  EXPECT_THAT(ErrorAfterHead("? [a]\n: 1"), HasSubstr("a key is a list; expected a word"));
}

TEST(TournamentFileTest, OutOfRange) {
  for (const char* line :
       {"games: 0", "games: 99999999999999999999", "cycles: 0", "cycles: 900000000000000",
        "slots: -1", "slots: 100000", "seed: 18446744073709551616", "openings: {random_plies: 201}",
        "openings: {tpgn: book.tpgn, plies: 0}", "adjudication: {plies_max: 0}",
        "time_control: {nodes: 0}", "time_control: {depth: 0}", "time_control: {movetime_ms: 0}",
        "time_control: {clock_ms: 5, increment_ms: -1}"}) {
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
  EXPECT_EQ(ErrorAfterHead("format: swiss"),
            "dir/t.yaml:3:9: format is \"swiss\"; expected one of round_robin, gauntlet");
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
            "dir/t.yaml:3:1: insufficient_material is nothing; expected one of off, on");
}

std::string ErrorOfBots(const std::string& bots) { return ErrorOf("game: triumvirate\n" + bots); }

TEST(TournamentFileTest, FaultsOfBots) {
  EXPECT_EQ(ErrorOfBots("bots: random"), "dir/t.yaml:2:7: bots is text; expected a list of bots");
  EXPECT_THAT(ErrorOfBots("bots: [random, [a]]"), HasSubstr("2:16: a bot is a list; expected"));
  EXPECT_THAT(ErrorOfBots("bots: [random, ]\nbots: []"), HasSubstr("3:1: bots is given twice"));
  EXPECT_EQ(ErrorOfBots("bots: [random, deep]"), "dir/t.yaml:2:16: unknown bot deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: deep}]"), "dir/t.yaml:2:14: unknown bot deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: 3, deep: 4}]"),
            "dir/t.yaml:2:40: unknown option deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: x}]"), "dir/t.yaml:2:31: option depth is x");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: [3]}]"),
            "dir/t.yaml:2:31: bot.depth is a list; expected text");
  EXPECT_THAT(ErrorOfBots("bots: [{name: x}]"), HasSubstr("2:8: a bot without key bot"));
  EXPECT_THAT(ErrorOfBots("bots: [{name: a b, bot: random}]"),
              HasSubstr("2:15: \"a b\" cannot be a bot's name"));
  EXPECT_THAT(ErrorOfBots("bots: ['paranoid:depth']"), HasSubstr("is no option"));
}

TEST(TournamentFileTest, ABotNamedTwice) {
  EXPECT_EQ(ErrorOfBots("bots:\n  - random\n  - mcts\n  - random\n"),
            "dir/t.yaml:5:5: two bots are named random; a tournament file can rename one, "
            "as in {name: other, bot: random}");
  EXPECT_THAT(ErrorOfBots("bots: [mcts, {name: mcts, bot: random}]"),
              HasSubstr("2:14: two bots are named mcts"));
}

TEST(TournamentFileTest, TooFewBots) {
  EXPECT_EQ(ErrorOfBots("bots: [random, mcts]"),
            "dir/t.yaml:2:7: 2 bots are too few; triumvirate has 3 seats");
}

TEST(TournamentFileTest, WhatDoesNotGoTogether) {
  EXPECT_EQ(ErrorAfterHead("games: 5\ncycles: 5"), "dir/t.yaml:4:9: give either games or cycles");
  EXPECT_THAT(ErrorAfterHead("openings: {random_plies: 4, tpgn: book.tpgn}"),
              HasSubstr("3:35: give either openings.random_plies or openings.tpgn"));
  EXPECT_THAT(ErrorAfterHead("openings: {plies: 4}"),
              HasSubstr("openings.plies needs openings.tpgn"));
  EXPECT_THAT(ErrorAfterHead("time_control: {increment_ms: 4}"),
              HasSubstr("increment_ms needs time_control.clock_ms; give both"));
  EXPECT_THAT(ErrorAfterHead("time_control: {movetime_ms: 4, clock: sun}"),
              HasSubstr("time_control.clock is \"sun\"; expected one of wall, cpu"));
  EXPECT_THAT(
      ErrorAfterHead("time_control: {clock: cpu}"),
      HasSubstr("3:23: time_control.clock: cpu needs a time to count; give movetime_ms or "));
  EXPECT_THAT(ErrorAfterHead("adjudication: {win_plies: 4}"),
              HasSubstr("adjudication.win_plies needs adjudication.win_share"));
}

// What the flags make of a file, or of nothing but a game.
absl::StatusOr<TournamentSpec> WithFlags(const std::string& file, const std::string& bots,
                                         const std::map<std::string_view, std::string>& flags) {
  TournamentDraft draft;
  if (file.empty()) {
    draft.values["game"] = std::string("triumvirate");
  } else {
    absl::StatusOr<TournamentDraft> read = ReadTournamentFile(file, "dir/t.yaml", Hooks());
    if (!read.ok()) return read.status();
    draft = *std::move(read);
  }
  for (const auto& [key, text] : flags) {
    const absl::Status status = SetFlag(*FindOption(key), text, &draft);
    if (!status.ok()) return status;
  }
  if (!bots.empty()) {
    const absl::Status status = SetBotFlags(bots, Hooks(), &draft);
    if (!status.ok()) return status;
  }
  return ResolveDraft(draft, Hooks());
}

std::string FlagError(const std::string& file, const std::string& bots,
                      const std::map<std::string_view, std::string>& flags) {
  return std::string(WithFlags(file, bots, flags).status().message());
}

TEST(TournamentFlagsTest, SayTheSameAsAFile) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("", "random,paranoid:depth=2,mcts", {{"time_control.nodes", "50"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(SpecToJson(*spec), SpecToJson(MustParse("game: triumvirate\n"
                                                    "bots: [random, paranoid:depth=2, mcts]\n"
                                                    "time_control: {nodes: 50}\n")));
}

TEST(TournamentFlagsTest, OverrideTheFile) {
  const std::string file = std::string(kHead) +
                           "games: 60\nseed: 3\nopenings: {tpgn: book.tpgn, plies: 1}\n"
                           "time_control: {clock_ms: 1000}\n";
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags(file, "random,mcts,paranoid,paranoid:depth=2",
                {{"cycles", "2"},
                 {"openings.random_plies", "6"},
                 {"seed", "18446744073709551615"},
                 {"time_control.increment_ms", "10"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->bots.size(), 4u);
  EXPECT_EQ(spec->games, 2 * 4 * 6);
  EXPECT_EQ(spec->openings, (Openings{.random_plies = 6, .lines = {}}));
  EXPECT_EQ(spec->seed, 18446744073709551615u);
  EXPECT_EQ(spec->time_control.increment_ms, 10);
}

TEST(TournamentFlagsTest, CanAskForSelfplay) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("", "mcts", {{"mode", "selfplay"}, {"output.data", "d"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_NE(spec->selfplay, nullptr);
  EXPECT_EQ(spec->games, 1);
}

TEST(TournamentFlagsTest, ErrorsNameTheFlag) {
  EXPECT_THAT(FlagError("", "random,random,mcts", {}), HasSubstr("--bots: two bots are named"));
  EXPECT_THAT(FlagError("", "random,mcts", {}), HasSubstr("--bots: 2 bots are too few"));
  EXPECT_THAT(FlagError("", "random,,mcts", {}), HasSubstr("--bots: \"\" is not a bot"));
  EXPECT_THAT(FlagError("", "random,deep,mcts", {}), HasSubstr("--bots: unknown bot deep"));
  const std::string bots = "random,paranoid,mcts";
  EXPECT_EQ(FlagError("", bots, {{"games", "0"}}),
            "--games is \"0\"; expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(FlagError("", bots, {{"format", "swiss"}}),
            "--format is \"swiss\"; expected one of round_robin, gauntlet");
  EXPECT_EQ(FlagError("", bots, {{"games", "6"}, {"cycles", "1"}}),
            "--cycles: give either games or cycles");
  EXPECT_EQ(FlagError("", bots, {{"time_control.increment_ms", "5"}}),
            "--increment-ms: time_control.increment_ms needs time_control.clock_ms; give both");
  EXPECT_EQ(FlagError("", bots, {{"adjudication.plies_max", "4"}}),
            "--plies-max: adjudication.plies_max is 4, but an opening has 4 plies; expected more");
  EXPECT_EQ(FlagError("", bots, {{"cycles", "900000000"}, {"openings.random_plies", "x"}}),
            "--random-plies is \"x\"; expected a whole number from 0 to 200");
  EXPECT_EQ(FlagError(kHead, "", {{"game", "tri-d"}}),
            "--game: dir/t.yaml is for triumvirate, not for \"tri-d\"");
  EXPECT_THAT(FlagError(std::string(kHead) + "anchor: mcts\n", "random,random:x=1,paranoid", {}),
              HasSubstr("--bots: "));
  EXPECT_THAT(
      FlagError(std::string(kHead) + "anchor: mcts\n", "random,paranoid:depth=2,paranoid", {}),
      HasSubstr("dir/t.yaml:3:9: anchor \"mcts\" is not a bot of this tournament"));
}

TEST(BotFlagTest, Reads) {
  EXPECT_EQ(ParseBotFlag("random").value(), (BotSpec{"random", "random", {}}));
  EXPECT_EQ(ParseBotFlag("paranoid:depth=2:nodes=5").value(),
            (BotSpec{"paranoid:depth=2:nodes=5", "paranoid", {{"depth", "2"}, {"nodes", "5"}}}));
}

TEST(BotFlagTest, Refuses) {
  for (const char* text : {"", ":depth=2", "paranoid:", "paranoid:depth", "paranoid:=2",
                           "paranoid:depth=", "paranoid:depth=2:depth=3", "para noid", "a\"b"}) {
    EXPECT_EQ(ParseBotFlag(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(ParseBotFlag(std::string(61, 'x')).ok());
  EXPECT_TRUE(ParseBotFlag(std::string(60, 'x')).ok());
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

TEST(TournamentFileTest, OneBotWillDoForSelfplay) {
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
              HasSubstr("4:27: selfplay.noise.alpha needs selfplay.noise.share; give both"));
  EXPECT_THAT(SelfplayError("selfplay: {full_search: {fast_nodes: 3}}"),
              HasSubstr("fast_nodes needs selfplay.full_search.share; give both"));
  EXPECT_THAT(SelfplayError("selfplay: {resign: {turns: 3}}"),
              HasSubstr("selfplay.resign.turns needs selfplay.resign.below"));
  EXPECT_THAT(SelfplayError("selfplay: {temperature: 1}"),
              HasSubstr("4:25: selfplay.temperature is text; expected a list of pairs"));
  EXPECT_THAT(SelfplayError("selfplay: {temperature: [[0, 1], [0, 2]]}"),
              HasSubstr("ply \"0\"; expected a whole number from 1 to"));
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
