#include "worker/host/any_bot.h"

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "worker/host/bot_digest.h"
#include "worker/host/plugin.h"
#include "worker/host/process_player.h"

namespace triarch {
namespace {

absl::Status CheckDigest(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const std::string digest, DigestBot(spec));
  if (digest == spec.digest) return absl::OkStatus();
  return absl::FailedPreconditionError("the files of bot " + spec.name +
                                       " have changed since the tournament began");
}

// What is said of bots, and no more of it than helps.
class BotLog {
 public:
  explicit BotLog(std::function<void(const std::string&)> log) : log_(std::move(log)) {}

  void NoteFault(const std::string& bot, const std::string& line) {
    int64_t count = 0;
    {
      MutexLock lock(&mutex_);
      count = ++faults_[bot];
    }
    if (!std::has_single_bit(static_cast<uint64_t>(count))) return;
    log_(count == 1 ? line : line + " (fault " + std::to_string(count) + ")");
  }
  void NoteBare(const std::string& bot) {
    {
      MutexLock lock(&mutex_);
      if (!bare_.insert(bot).second) return;
    }
    log_("bot " + bot + " runs without a sandbox, as its spec asks");
  }

 private:
  const std::function<void(const std::string&)> log_;
  Mutex mutex_;
  std::map<std::string, int64_t> faults_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> bare_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  if (spec.bot != kPluginBot && spec.bot != kProcessBot) return CheckBot(*info, spec);
  if (spec.bot == kProcessBot) {
    return ProcessPlayer(*info, spec, [](const std::string&) {}).Check();
  }
  ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(spec.library));
  // Only the bot itself knows which values it takes.
  return plugin->MakePlayer(*info, spec).status();
}

PlayerMaker MakePlayerMaker(std::function<void(const std::string&)> log) {
  auto bot_log = std::make_shared<BotLog>(std::move(log));
  return [bot_log](const GameInfo& game,
                   const BotSpec& spec) -> absl::StatusOr<std::unique_ptr<Player>> {
    const auto note_fault = [bot_log, name = spec.name](const std::string& line) {
      bot_log->NoteFault(name, line);
    };
    if (spec.bot != kPluginBot && spec.bot != kProcessBot) {
      return MakePlayer(game, spec, [note_fault, name = spec.name](const std::string& line) {
        note_fault("bot " + name + ": " + line);
      });
    }
    RETURN_IF_ERROR(CheckDigest(spec));
    if (spec.bot == kProcessBot) {
      if (!spec.is_sandboxed) bot_log->NoteBare(spec.name);
      return std::make_unique<ProcessPlayer>(game, spec, note_fault);
    }
    ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(spec.library));
    return plugin->MakePlayer(game, spec);
  };
}

}  // namespace triarch
