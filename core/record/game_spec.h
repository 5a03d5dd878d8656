#ifndef TRIARCH_CORE_RECORD_GAME_SPEC_H_
#define TRIARCH_CORE_RECORD_GAME_SPEC_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game/game_state.h"
#include "core/game/seat.h"
#include "core/record/selfplay_spec.h"

// The two specs that go down: what a tournament is, and what one game of it is.
namespace triarch {

inline constexpr std::string_view kPluginBot = "plugin";
inline constexpr std::string_view kProcessBot = "process";
// Bundled, but for its model: a file, which its option kModelOption names: an absolute path, or of
// a bot from a bundle a file in `dir`.
inline constexpr std::string_view kTorchBot = "torch";
inline constexpr std::string_view kModelOption = "model";

// A bot as the tournament names it: one bot type may enter several times under several names.
struct BotSpec {
  // Unique in a tournament; no spaces but in that of a bot from a bundle: VersionedBotName.
  std::string name;
  std::string bot;  // the bot type: "paranoid", kPluginBot or kProcessBot
  std::map<std::string, std::string> options = {};  // the bot's own, as text: {"depth", "3"}

  // Of a bot that is not bundled. Paths are absolute, but for the library or the model of one
  // from a bundle, which lies in `dir`.
  std::string bundle = {};                // "mine@1.2": where it is from; empty: not from a bundle
  std::string library = {};               // a plugin's shared library
  std::vector<std::string> command = {};  // a process and its arguments
  // Where the process runs, and all it sees of the machine. Of a bundle: its folder; empty where
  // each worker has one of its own.
  std::string dir = {};
  bool is_sandboxed = true;  // the process; else it may do what the worker may
  // Of the contents of bundle, library, dir or a torch bot's model (SHA-256, hex): a changed bot is
  // another bot. Empty where there is none of them.
  std::string digest = {};
  // In self-play: how often a seat draws this bot, relative to the others; above 0.
  double weight = 1;

  friend bool operator==(const BotSpec&, const BotSpec&) = default;
};

// How much a player may think. What is absent does not limit. A bot's own options go before this.
struct TimeControl {
  std::optional<int64_t> nodes = {};        // per move
  std::optional<int64_t> depth = {};        // per move, in plies
  std::optional<int64_t> movetime_ms = {};  // per move
  std::optional<int64_t> clock_ms = {};     // per player and game, with
  int64_t increment_ms = 0;                 // this much more after each move
  int64_t margin_ms = 50;                   // a player oversteps only when later than this
  // Whether the time that counts is a player's own time of a processor, not that of the wall.
  bool charges_cpu = false;

  // Whether the same spec gives the same game on any machine.
  bool is_deterministic() const { return !movetime_ms && !clock_ms; }
  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

// When a game is ended by decision of the match.
struct Adjudication {
  int64_t plies_max = 1200;  // then the survivors share a draw
  double win_share = 0;      // 0: never. Else: all reported evaluations give one seat at least
  int64_t win_plies = 6;     // this share of the points for so many plies in a row

  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

// One game: everything that playing it needs.
struct GameSpec {
  int64_t index = 0;     // in its tournament
  std::string game;      // "triumvirate"
  std::string position;  // the start, in the game's text form; empty for the default start
  std::vector<std::string> opening;  // moves played before the players are asked
  int64_t match = 0;  // games of one match: one pairing and opening, all its seatings
  PerSeat<BotSpec> seats;
  uint64_t seed = 0;  // players get seeds derived from it
  TimeControl time_control;
  Adjudication adjudication;
  DrawRules draw_rules;
  std::shared_ptr<const SelfplaySpec> selfplay;  // null: a game that is not to be learnt from
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_SPEC_H_
