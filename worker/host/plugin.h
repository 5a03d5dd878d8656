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

// A shared library with a bot in it (bots/sdk/triarch_bot.h). It runs in this process and is
// trusted: one that crashes takes the process with it. Once loaded it stays loaded.
class Plugin {
 public:
  // Loads the library of that path, or finds it if it was loaded already. NotFound: no such file;
  // InvalidArgument: it cannot be loaded, exports no bot, has another ABI version, or what it says
  // of itself makes no sense. Messages begin with the path.
  static absl::StatusOr<const Plugin*> Load(const std::string& path);

  const std::string& path() const { return path_; }
  const triarch_bot& bot() const { return *bot_; }
  std::vector<std::string> games() const;
  bool plays(std::string_view game) const;

  // InvalidArgument if the bot does not play `game`, or has no such option (the message lists
  // them).
  absl::Status Check(const GameInfo& game, const BotSpec& spec) const;
  // An instance of the bot, to be ended by bot().destroy. Fails as MakePlayer does.
  absl::StatusOr<void*> Create(const GameInfo& game, const BotSpec& spec) const;
  // A player of that bot. Fails as Check does, or with what the bot says about its options.
  absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const GameInfo& game,
                                                     const BotSpec& spec) const;

 private:
  Plugin(std::string path, const triarch_bot* bot) : path_(std::move(path)), bot_(bot) {}

  const std::string path_;
  const triarch_bot* const bot_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_H_
