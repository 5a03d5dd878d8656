// Implements a blob store in a folder.

#ifndef TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_

#include <functional>
#include <memory>
#include <string>

#include "selfplay/storage/blob_store.h"

namespace triarch {

// Makes the names in a folder durable. Returns false and sets errno on failure.
using FolderSync = std::function<bool(const std::string& path)>;
bool SyncFolder(const std::string& path);

// Returns a store in a folder, which the first Put creates. Put writes a temporary file, syncs it
// and renames it; if a later step fails it removes a new file again.
std::unique_ptr<BlobStore> MakeFolderBlobStore(std::string path, FolderSync sync = SyncFolder);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_FOLDER_BLOB_STORE_H_
