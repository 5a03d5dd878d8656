// Stores named files ("blobs") in a folder or an S3 bucket.

#ifndef TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/storage/data_roots.h"

namespace triarch {

// A store for self-play data. A file exists completely or not at all, and is durable once Put
// returns OK. Thread-safe; several processes may share a location. If two write the same name, one
// of them wins.
//
// Errors: Unavailable (temporary; retries have failed), PermissionDenied, NotFound, InvalidArgument
// (a bad name or an unsupported operation), ResourceExhausted (full), Cancelled (stopped). Messages
// never contain a key.
class BlobStore {
 public:
  virtual ~BlobStore() = default;

  // Writes a file, replacing any file of that name.
  virtual absl::Status Put(std::string_view name, std::string_view bytes) = 0;
  virtual absl::StatusOr<std::string> Get(std::string_view name) = 0;
  // Returns the names of all files with this prefix, in ascending order. Skips files whose names
  // are not valid blob names.
  virtual absl::StatusOr<std::vector<std::string>> List(std::string_view prefix) = 0;
  // Removes a file. Also succeeds if it does not exist.
  virtual absl::Status Remove(std::string_view name) = 0;
  // Removes unfinished files of crashed writers for names with this prefix; they are never visible
  // as blobs. If a writer is still active, its Put fails.
  virtual absl::Status RemoveUnfinished(std::string_view prefix) = 0;
  // Returns the location for messages: "/data", "s3://bucket/prefix".
  virtual std::string Describe() const = 0;
};

struct BlobStoreOptions {
  // How long to retry when a server does not answer or reports a temporary error. A single request
  // also fails if no byte is transferred for this long (at least 5 and at most 30 seconds).
  std::chrono::milliseconds retry_for{60'000};
  // Setting it cancels all operations soon. May be null.
  const std::atomic<bool>* stop = nullptr;
  // The source of the keys, for messages.
  std::string environment = "the environment of this process";
  // If set, only locations below these may be opened.
  std::optional<DataRoots> roots = {};
};

// Checks a name: a relative path of letters, digits and . _ - = + between slashes that does not end
// in .tmp. Fails with InvalidArgument.
absl::Status CheckBlobName(std::string_view name);

// Checks that OpenBlobStore accepts the location: a folder's path, or
// s3://BUCKET[/PREFIX][?endpoint=http://HOST[:PORT]&region=REGION]. Fails with InvalidArgument.
absl::Status CheckDataLocation(const std::string& location);

// Opens a location without contacting a server or creating a folder. For S3, reads
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN from the environment, and
// AWS_ENDPOINT_URL and AWS_REGION unless the location has them (default region: us-east-1). Fails
// with PermissionDenied if the keys are missing or the roots do not allow the location.
absl::StatusOr<std::unique_ptr<BlobStore>> OpenBlobStore(const std::string& location,
                                                         const BlobStoreOptions& options = {});

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_
