#ifndef TRIARCH_SELFPLAY_FOLDER_SINK_H_
#define TRIARCH_SELFPLAY_FOLDER_SINK_H_

#include <memory>
#include <string>

#include "selfplay/sink.h"

namespace triarch {

// A sink in a folder, which is made when the first file comes. Each file is written beside its
// place, synced and renamed.
std::unique_ptr<Sink> MakeFolderSink(std::string path);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_FOLDER_SINK_H_
