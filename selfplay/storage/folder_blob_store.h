#ifndef TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_

#include <functional>
#include <memory>
#include <string>

#include "selfplay/storage/blob_store.h"

namespace triarch {

// Makes sure that the names in a folder stay. False, with errno, if it cannot.
using FolderSync = std::function<bool(const std::string& path)>;
bool SyncFolder(const std::string& path);

// A blobs in a folder, which is made when the first file comes. Each file is written beside its
// place, synced and renamed; what then fails to stay is removed again, if it is new.
std::unique_ptr<BlobStore> MakeFolderSink(std::string path, FolderSync sync = SyncFolder);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_
