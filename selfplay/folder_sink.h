#ifndef TRIARCH_SELFPLAY_FOLDER_SINK_H_
#define TRIARCH_SELFPLAY_FOLDER_SINK_H_

#include <functional>
#include <memory>
#include <string>

#include "selfplay/sink.h"

namespace triarch {

// Makes sure that the names in a folder stay. False, with errno, if it cannot.
using FolderSync = std::function<bool(const std::string& path)>;
bool SyncFolder(const std::string& path);

// A sink in a folder, which is made when the first file comes. Each file is written beside its
// place, synced and renamed; what then fails to stay is removed again, if it is new.
std::unique_ptr<Sink> MakeFolderSink(std::string path, FolderSync sync = SyncFolder);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_FOLDER_SINK_H_
