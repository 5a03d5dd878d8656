#ifndef TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_
#define TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// Where the data of self-play goes: a folder, or a part of an S3 bucket. A file is there as a whole
// or not at all, and stays when Put has said OK. May be used by several threads and processes; of
// two who write the same name one wins.
//
// Errors: Unavailable (it may go well later; what can be tried again has been), PermissionDenied,
// NotFound, InvalidArgument (a name, or what the blobs cannot do), ResourceExhausted (full),
// Cancelled (stopped). No message has a key in it.
class BlobStore {
 public:
  virtual ~BlobStore() = default;

  // Writes a file, in place of one of that name.
  virtual absl::Status Put(std::string_view name, std::string_view bytes) = 0;
  virtual absl::StatusOr<std::string> Get(std::string_view name) = 0;
  // The names of all files that begin so ("": all), in ascending order. Names that no blobs gives
  // to a file are passed over.
  virtual absl::StatusOr<std::vector<std::string>> List(std::string_view prefix) = 0;
  // OK also if there is no such file.
  virtual absl::Status Remove(std::string_view name) = 0;
  // Removes what writers that died have left unfinished of files whose names begin so. Nobody sees
  // it anyhow. Whoever is writing such a file still has his Put fail.
  virtual absl::Status RemoveUnfinished(std::string_view prefix) = 0;
  // For messages: "/data", "s3://bucket/prefix".
  virtual std::string Describe() const = 0;
};

struct SinkOptions {
  // For how long a server that does not answer, or answers that it cannot, is asked again. One
  // request is given up when nothing has come or gone for so long too (5 to 30 seconds).
  std::chrono::milliseconds retry_for{60'000};
  // Where it is set, whatever goes on ends soon; null: never.
  const std::atomic<bool>* stop = nullptr;
  // Whose keys are used, for messages.
  std::string environment = "the environment of this process";
};

// Names are relative paths of letters, digits and . _ - = + in parts between slashes; none ends in
// .tmp. InvalidArgument: that this is none.
absl::Status CheckSinkName(std::string_view name);

// Whether OpenBlobStore would take this for a place: a folder's path, or
// s3://BUCKET[/PREFIX][?endpoint=http://HOST[:PORT]&region=REGION]. InvalidArgument: what is wrong.
absl::Status CheckSinkPlace(const std::string& place);

// Opens it; nothing is asked of a server as yet, and no folder made. For S3, the environment's
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (PermissionDenied without) and AWS_SESSION_TOKEN say
// who asks; AWS_ENDPOINT_URL and AWS_REGION where, unless the place does (us-east-1 if neither).
absl::StatusOr<std::unique_ptr<BlobStore>> OpenBlobStore(const std::string& place,
                                                         const SinkOptions& options = {});

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_BLOB_STORE_H_
