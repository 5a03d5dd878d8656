// Implements a blob store in an S3 bucket.

#ifndef TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_

#include <memory>

#include "selfplay/storage/blob_store.h"
#include "selfplay/storage/s3_location.h"

namespace triarch {

// Returns a store in the bucket. Contacts the server only when it is used.
std::unique_ptr<BlobStore> MakeS3BlobStore(S3Location location, const BlobStoreOptions& options);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_S3_BLOB_STORE_H_
