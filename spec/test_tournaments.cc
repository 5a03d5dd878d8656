#include "spec/test_tournaments.h"

#include <vector>

#include "gtest/gtest.h"
#include "spec/tournament_file.h"

namespace triarch {
namespace {

// Accepts random without options, paranoid and mcts with whole numbers for depth and nodes, and
// torch with a model.
absl::Status CheckBot(std::string_view game, const BotSpec& bot) {
  EXPECT_FALSE(game.empty());
  if (IsUserSupplied(bot)) {
    if (bot.command == std::vector<std::string>{"fails"}) {
      return absl::InternalError("it does not start");
    }
    const auto whole = bot.options.find("whole");
    if (whole != bot.options.end() && whole->second.find('.') != std::string::npos) {
      return absl::InvalidArgumentError("whole is " + whole->second);
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
    if (option == kNetOption && bot.bot != "random") continue;
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
  std::string path = FileOf(bot);
  if (path.empty()) path = bot.library.empty() ? bot.dir : bot.library;
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
                                    .file = "m.pt",
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
                                  .options = {{"level", "low"}, {"width", "1"}}},
                     .digest = "3fa94c1b77",
                     .dir = folder};
}

// Paranoid declares depth and no bounds of nodes; a process declares nothing.
absl::StatusOr<DeclaredOption> FindDeclared(std::string_view game, const BotSpec& bot,
                                            const std::string& option) {
  EXPECT_FALSE(game.empty());
  if (IsUserSupplied(bot)) return DeclaredOption{};
  if (option == "depth") {
    return DeclaredOption{.default_value = 3, .min = 1, .max = 30, .is_integer = true};
  }
  if (option == "nodes") return DeclaredOption{.is_integer = true};
  return absl::InvalidArgumentError("unknown option " + option);
}

absl::StatusOr<TournamentSpec> Parse(const std::string& text) {
  return ParseTournamentFile(text, "dir/t.yaml", TestHooks());
}

}  // namespace

TournamentHooks TestHooks() {
  return {.check_bot = CheckBot,
          .digest_bot = DigestBot,
          .find_bundle = FindBundle,
          .read_file = ReadBook,
          .declared_option = FindDeclared};
}

TournamentSpec MustParse(const std::string& text) {
  absl::StatusOr<TournamentSpec> spec = Parse(text);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.value_or(TournamentSpec());
}

std::string ErrorOf(const std::string& text) {
  const absl::Status status = Parse(text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  const std::string message(status.message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

std::string ErrorAfterHead(const std::string& lines) { return ErrorOf(kHead + lines); }

}  // namespace triarch
