// Loads a plugin bot from a shared library.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_H_
#define TRIARCH_WORKER_HOST_PLUGIN_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/sdk/triarch_bot.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

// A shared library with a bot (bots/sdk/triarch_bot.h). It runs in this process and is trusted: a
// crash takes the process down with it. It is never unloaded.
class Plugin {
 public:
  // Loads the library, or returns it if it is already loaded. Fails with NotFound if the file does
  // not exist, and with InvalidArgument if it cannot be loaded, exports no bot, has another ABI
  // version or describes itself inconsistently. Messages begin with the path.
  static absl::StatusOr<const Plugin*> Load(const std::string& path);

  const std::string& path() const { return path_; }
  const triarch_bot& bot() const { return *bot_; }
  std::vector<std::string> games() const;
  bool plays(std::string_view game) const;

  // Checks that the bot plays `game` and has the spec's options. Fails with InvalidArgument; the
  // message lists the bot's options.
  absl::Status Check(const GameInfo& game, const BotSpec& spec) const;
  // Creates an instance, to be destroyed with bot().destroy. Fails like MakePlayer.
  absl::StatusOr<void*> Create(const GameInfo& game, const BotSpec& spec) const;
  // Creates a player. Fails like Check, or with the bot's own error about its options.
  absl::StatusOr<std::unique_ptr<SyncPlayer>> MakePlayer(const GameInfo& game,
                                                         const BotSpec& spec) const;

 private:
  Plugin(std::string path, const triarch_bot* bot) : path_(std::move(path)), bot_(bot) {}

  const std::string path_;
  const triarch_bot* const bot_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_H_
