// Copies the files of a run's bots, so that changes to them do not matter while it plays.

#ifndef TRIARCH_WORKER_HOST_BOT_COPIES_H_
#define TRIARCH_WORKER_HOST_BOT_COPIES_H_

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

namespace triarch {

// The copies are in a temporary folder, which the destructor removes. If the process is killed, the
// next one removes it.
class BotCopies {
 public:
  // Copies the folders, libraries and models of the bots. A library that looks for other files by
  // its own path is not copied. Fails with FailedPrecondition if the files do not match the specs'
  // digests, and like CopyBotFiles (bundle/bot_files.h).
  static absl::StatusOr<std::unique_ptr<BotCopies>> Make(std::span<const BotSpec> bots);
  ~BotCopies() { Remove(); }
  BotCopies(const BotCopies&) = delete;
  BotCopies& operator=(const BotCopies&) = delete;

  // Returns the bot with its copy; empty if it has none. A bot in a sandbox still sees its files at
  // their own paths. Others get the paths of the copy, also in their commands, but keep the paths
  // of files that were not copied.
  std::optional<BotSpec> Find(const BotSpec& bot) const;
  // Returns the words of the bot's command that name files in its folder which were not copied.
  std::vector<std::string> LeftOut(const BotSpec& bot) const;
  // Returns the error of a bot that was tried with its copy, with a word about what was left out.
  absl::Status Explain(const BotSpec& bot, const absl::Status& error) const;
  // Removes the copies early.
  void Remove();

 private:
  BotCopies() = default;
  absl::Status MakeFolder();
  absl::Status Copy(const BotSpec& bot);

  std::string folder_;  // empty if there are no copies
  int lock_ = -1;       // a descriptor of the folder; as long as it is open, the folder is in use
  std::map<std::string, std::string> paths_;  // by digest: the copy of a folder or a file
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_BOT_COPIES_H_
