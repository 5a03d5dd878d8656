// Describes everything needed to play one game.

#ifndef TRIARCH_CORE_RECORD_GAME_SPEC_H_
#define TRIARCH_CORE_RECORD_GAME_SPEC_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/seat.h"
#include "core/record/selfplay_spec.h"

namespace triarch {

inline constexpr std::string_view kPluginBot = "plugin";
inline constexpr std::string_view kProcessBot = "process";
// A bundled bot that plays with a model file.
inline constexpr std::string_view kTorchBot = "torch";
inline constexpr std::string_view kModelOption = "model";
// The option of the searchers paranoid, maxn and mcts that names a network file, or one of the two
// words. Without it they play as with kBundledNet.
inline constexpr std::string_view kNetOption = "net";
inline constexpr std::string_view kBundledNet = "bundled";
inline constexpr std::string_view kNoNet = "none";  // the hand-made evaluation

// A player's clock.
struct ClockSpec {
  int64_t base_ms = 0;
  int64_t increment_ms = 0;  // added after each of the player's moves
  // If not 0, `base_ms` is added again after this many moves of the player.
  int64_t moves = 0;

  friend bool operator==(const ClockSpec&, const ClockSpec&) = default;
};

// A bot's own limits, which replace those of its tournament (odds.h).
struct BotLimits {
  std::optional<int64_t> nodes = {};  // only of user-supplied bots; others have options for them
  std::optional<int64_t> depth = {};
  std::optional<int64_t> movetime_ms = {};
  std::optional<ClockSpec> clock = {};

  friend bool operator==(const BotLimits&, const BotLimits&) = default;
};

// Returns the option that names the file of a bundled bot: kModelOption, kNetOption, or "" if it
// reads none. Its value is an absolute path, or a file in `dir` for a bot from a bundle.
constexpr std::string_view FileOptionOf(std::string_view bot) {
  if (bot == kTorchBot) return kModelOption;
  return bot == "paranoid" || bot == "maxn" || bot == "mcts" ? kNetOption : "";
}

// A bot of a tournament. One bot type may play under several names.
struct BotSpec {
  // Unique in a tournament. Contains spaces only for a bundle's bot (VersionedBotName).
  std::string name;
  std::string bot;  // the bot type: "paranoid", kPluginBot or kProcessBot
  std::map<std::string, std::string> options = {};  // as text: {"depth", "3"}
  BotLimits limits = {};

  // For user-supplied bots. Paths are absolute, except that the library, model or network of a bot
  // from a bundle is a file in `dir`.
  std::string bundle = {};                // "mine@1.2"; empty if not from a bundle
  std::string library = {};               // plugin: the shared library
  std::vector<std::string> command = {};  // process: program and arguments
  // The folder in which the process runs, the only part of the machine that it sees. For a bundle,
  // this is its folder, or empty if each worker has its own copy.
  std::string dir = {};
  // Where the files of `dir` are while a run plays a copy of them. Never stored.
  std::string copy = {};
  bool is_sandboxed = true;  // process bots: if false, it runs with the worker's rights
  // SHA-256 (hex) of the bundle, library, dir, model or network: a changed bot is a different bot.
  // Empty if it has no files.
  std::string digest = {};
  // For self-play: how often seats draw this bot, relative to the others; above 0.
  double weight = 1;

  friend bool operator==(const BotSpec&, const BotSpec&) = default;
};

// Whether the bot's files come from the user rather than with Triarch.
inline bool IsUserSupplied(const BotSpec& bot) {
  return bot.bot == kPluginBot || bot.bot == kProcessBot;
}

// Returns the file of a bundled bot, as its option gives it; "" if it reads none.
inline std::string FileOf(const BotSpec& bot) {
  const auto file = bot.options.find(std::string(FileOptionOf(bot.bot)));
  const bool is_word = bot.bot != kTorchBot && file != bot.options.end() &&
                       (file->second == kBundledNet || file->second == kNoNet);
  return file == bot.options.end() || is_word ? "" : file->second;
}

// Limits a player's search. An absent value means no limit.
struct TimeControl {
  std::optional<int64_t> nodes = {};        // per move
  std::optional<int64_t> depth = {};        // per move, in plies
  std::optional<int64_t> movetime_ms = {};  // per move
  std::optional<ClockSpec> clock = {};
  int64_t margin_ms = 50;  // how late a move may be before the player forfeits
  // Whether a player's processor time counts rather than wall-clock time.
  bool charges_cpu = false;

  // Returns whether the same spec yields the same game on every machine.
  bool is_deterministic() const { return !movetime_ms && !clock; }
  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

// When the match ends a game.
struct Adjudication {
  int64_t plies_max = 1200;  // after this many plies the survivors share a draw
  // A seat wins if all evaluations give it this share of the points for `win_plies` consecutive
  // plies. 0 means never.
  double win_share = 0;
  int64_t win_plies = 6;
  // The survivors share a draw if all evaluations give each of them an equal share, within this
  // margin, for `draw_plies` consecutive plies, but not before the game has `draw_after` plies. 0
  // means never.
  double draw_margin = 0;
  int64_t draw_plies = 12;
  int64_t draw_after = 80;
  // A seat wins if it has this much more material than every other survivor, in hundredths of a
  // pawn, after each of `material_plies` consecutive plies. 0 means never.
  int64_t win_material = 0;
  int64_t material_plies = 12;
  // The survivors share a draw after this many plies without a capture or pawn move if their
  // material differs by at most `idle_material`. 0 means never.
  int64_t idle_plies = 0;
  int64_t idle_material = 100;

  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

struct GameSpec {
  int64_t index = 0;     // in its tournament
  std::string game;      // "triumvirate"
  std::string position;  // the start, in the game's text form; empty for the default start
  std::vector<std::string> opening;  // moves played before the players are asked
  int64_t match = 0;                 // its match: one pairing and opening in all seatings
  PerSeat<BotSpec> seats;
  uint64_t seed = 0;  // the players' seeds derive from it
  TimeControl time_control;
  Adjudication adjudication;
  DrawRules draw_rules;
  std::shared_ptr<const SelfplaySpec> selfplay;  // null if not a self-play game
  bool search_info = false;  // whether to record what the bots say about their moves
};

// Returns the seed from which a player takes all its randomness in the game.
inline uint64_t PlayerSeed(const GameSpec& spec, Seat seat) {
  return DeriveSeed(spec.seed, Index(seat) + 1);
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_SPEC_H_
