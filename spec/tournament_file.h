#ifndef TRIARCH_SPEC_TOURNAMENT_FILE_H_
#define TRIARCH_SPEC_TOURNAMENT_FILE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/bot_manifest.h"
#include "core/record/tournament_spec.h"

// Tournament files (YAML): docs/formats.md lists the keys. All but game and bots may be left out:
//
//   game          the game's name
//   bots          a list; each a word as of `triarch run --bots` ("random", "paranoid:depth=2"), or
//                 a map with bot (the kind), name (default: that word) and the bot's options;
//                 in place of bot, library: FILE (a plugin) or command: [PROGRAM, ARGUMENT, …] with
//                 dir: FOLDER and sandbox: none (a process), or bundle: FOLDER (with a bot.yaml) or
//                 NAME[@VERSION] (of a bundle at the coordinator); paths are relative to the file
//   mode          tournament (default) or selfplay: bots play to make training data; each seat of
//                 each game draws its bot, and a map of the list may have a weight (default: 1)
//   name          of the tournament, for the games' Event tag (default: "<Game> tournament")
//   start         a named start of the game (default: its first)
//   selfplay      with mode: selfplay: temperature, noise, full_search, resign, sample_rate,
//                 drop_duplicates, shard_samples, compression: see SelfplaySpec
//   format        round_robin (default) or gauntlet: the first bot against all others
//   games         how many in all, or
//   cycles        how many rounds: every set of bots in every seating (default: 1)
//   seed          of all random choices (default: 1)
//   openings      one of {random_plies: K} (default: 4), {positions: [TEXT, …]} and
//                 {tpgn: FILE, plies: K} (the first K moves of each game of FILE, default all; the
//                 path is relative to the tournament file)
//   time_control  nodes, depth, movetime_ms per move; clock_ms per game with increment_ms (0);
//                 margin_ms (50): see TimeControl. Default: the bots' own limits
//   limits        max_plies (1200)
//   adjudication  win_share (a win is never adjudicated), win_plies (6): see Adjudication
//   draws         automatic (default) or claimed
//   insufficient_material
//                 off (default) or on, where the game leaves it open: see DrawRules
//   anchor        the bot whose rating is 0 (default: the mean of all is 0)
//   slots         games at a time; 0, the default, is one per core
//   output        db and tpgn: paths, relative to where the command runs (default: none); data of
//                 self-play: a folder, or s3://BUCKET/PREFIX
namespace triarch {

inline constexpr int64_t kGamesMax = 1'000'000'000'000'000;
inline constexpr int64_t kRandomPliesDefault = 4;

// A bundle that a tournament file names.
struct FoundBundle {
  BotManifest manifest;
  std::string digest;
  std::string dir;  // its folder; empty where each worker has one of its own
};

// What reading a tournament asks of others.
struct TournamentHooks {
  // Whether there is such a bot with such options, and it plays that game; the message names the
  // option, not the file.
  std::function<absl::Status(std::string_view game, const BotSpec&)> check_bot;
  // The digest of what a bot brings along; empty if that is nothing.
  std::function<absl::StatusOr<std::string>(const BotSpec&)> digest_bot;
  // The bundle in that folder (an absolute path), or else of that name: "mine", "mine@1.2".
  std::function<absl::StatusOr<FoundBundle>(const std::string& folder, const std::string& name)>
      find_bundle;
  // The text of a file.
  std::function<absl::StatusOr<std::string>(const std::string& path)> read_file;
};

// InvalidArgument for every fault of the text, in one line:
// "file:line:column: what was wrong; what was expected".
absl::StatusOr<TournamentSpec> ParseTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks);

// A tournament without a file: the flags of `triarch run`, the rest as a file's defaults.
struct TournamentFlags {
  std::string game;
  std::string bots;              // "random,greedy,paranoid:depth=2"
  std::optional<int64_t> games;  // default: one round
  uint64_t seed = 1;
  bool is_selfplay = false;  // with its defaults; one bot will do
};
absl::StatusOr<TournamentSpec> TournamentFromFlags(const TournamentFlags& flags,
                                                   const TournamentHooks& hooks);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TOURNAMENT_FILE_H_
