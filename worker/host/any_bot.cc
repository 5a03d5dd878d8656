#include "worker/host/any_bot.h"

#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "spec/spec_json.h"
#include "worker/host/bot_digest.h"
#include "worker/host/exit_guard.h"
#include "worker/host/plugin.h"
#include "worker/host/plugin_check.h"
#include "worker/host/process_player.h"

namespace triarch {
namespace {

// Loading a large model may take long on a busy machine.
constexpr std::chrono::minutes kLoadPatience{2};

// Points a bundled bot to its model or network from a bundle on this machine. Requires: its files
// are in `dir` and match the bundle's digest.
BotSpec WithFileIn(const std::string& dir, BotSpec spec) {
  std::string& file = spec.options[std::string(FileOptionOf(spec.bot))];
  file = dir + "/" + file;
  spec.digest.clear();
  return spec;
}

absl::Status CheckDigest(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const std::string digest, DigestBot(spec));
  if (digest == spec.digest) return absl::OkStatus();
  return absl::FailedPreconditionError("the files of bot " + spec.name +
                                       " have changed since the tournament began");
}

// Starts the bot. The error names its folder.
absl::Status TryProcess(const GameInfo& game, const BotSpec& spec) {
  const absl::Status status = ProcessPlayer(game, spec, [](const std::string&) {}).Check();
  if (status.ok()) return status;
  const std::string where =
      spec.dir.empty() ? "it has no dir, so it sees none of your files; expected dir, its folder"
                       : "it runs in the folder " + spec.dir;
  return absl::Status(status.code(), std::string(status.message()) + " (" + where + ")");
}

// Logs the faults of bots, at increasing intervals per bot.
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
    const std::string shown = Printable(line);
    log_(count == 1 ? shown : shown + " (fault " + std::to_string(count) + ")");
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

// Remembers process bots that have started and answered on this machine.
class TriedBots {
 public:
  absl::Status Try(const GameInfo& game, const BotSpec& spec) {
    const std::string key = std::string(game.name) + " " + spec.digest + " " + BotText(spec);
    {
      MutexLock lock(&mutex_);
      if (fit_.contains(key)) return absl::OkStatus();
    }
    RETURN_IF_ERROR(ProcessPlayer(game, spec, [](const std::string&) {}).Check());
    MutexLock lock(&mutex_);
    fit_.insert(key);
    return absl::OkStatus();
  }

 private:
  Mutex mutex_;
  std::set<std::string> fit_ ABSL_GUARDED_BY(mutex_);
};

// Writes each line of the protocol as text.
ProcessPlayer::Tap TapFor(const std::function<void(std::string_view)>& protocol) {
  if (!protocol) return nullptr;
  return [protocol](std::string_view label, Transcript::Stream stream, std::string_view line) {
    protocol(std::string(label) + " " + Transcript::MarkOf(stream) + " " + Printable(line));
  };
}

}  // namespace

std::string LibraryOf(const BotSpec& spec) {
  return spec.bundle.empty() ? spec.library : spec.dir + "/" + spec.library;
}

absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  if (!IsUserSupplied(spec) && !spec.bundle.empty()) {
    return CheckBot(*info, WithFileIn(spec.dir, spec));
  }
  // The coordinator has the files. The worker that fetches them checks the rest.
  if (!spec.bundle.empty() && spec.dir.empty()) return absl::OkStatus();
  if (!IsUserSupplied(spec)) return CheckBot(*info, spec);
  // Only the bot itself knows which values it accepts. A plugin is not loaded here, because a run
  // plays with a copy (bot_copies.h).
  const absl::Status status = spec.bot == kProcessBot
                                  ? TryProcess(*info, spec)
                                  : TryPlugin(LibraryOf(spec), *info, spec, kLoadPatience);
  return status.ok() ? status : WithBotName(spec, status);
}

PlayerMaker MakePlayerMaker(std::function<void(const std::string&)> log,
                            PlayerMakerOptions options) {
  ReportExitsOfPlugins();
  auto bot_log = std::make_shared<BotLog>(std::move(log));
  auto tried = std::make_shared<TriedBots>();
  return [bot_log, tried, folders = std::move(options.folders), copies = std::move(options.copies),
          protocol = std::move(options.protocol)](const GameInfo& game,
                                                  const BotSpec& given) -> absl::StatusOr<Player> {
    const std::optional<BotSpec> copy = copies ? copies->Find(given) : std::nullopt;
    BotSpec spec = copy.value_or(given);
    const auto note_fault = [bot_log, name = spec.name](const std::string& line) {
      bot_log->NoteFault(name, line);
    };
    const auto make_bundled = [&](const BotSpec& bundled) {
      return MakePlayer(game, bundled, [note_fault, name = spec.name](const std::string& line) {
        note_fault("bot " + name + ": " + line);
      });
    };
    if (spec.bundle.empty() && !IsUserSupplied(spec)) {
      return make_bundled(spec);
    }
    const bool is_fetched = !spec.bundle.empty() && spec.dir.empty();
    if (is_fetched) {
      if (!folders) return absl::FailedPreconditionError("bundles are not available here");
      ASSIGN_OR_RETURN(spec.dir, folders(spec.digest));
    }
    if (!copy) RETURN_IF_ERROR(CheckDigest(spec));
    if (!IsUserSupplied(spec)) return make_bundled(WithFileIn(spec.dir, spec));
    if (spec.bot == kProcessBot) {
      // A bot must not lose games because it cannot run on this machine.
      if (is_fetched) RETURN_IF_ERROR(tried->Try(game, spec));
      if (!spec.is_sandboxed) bot_log->NoteBare(spec.name);
      return std::make_unique<ProcessPlayer>(game, spec, note_fault, TapFor(protocol));
    }
    ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(LibraryOf(spec)));
    return plugin->MakePlayer(game, spec);
  };
}

}  // namespace triarch
