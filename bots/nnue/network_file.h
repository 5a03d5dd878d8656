// Reads and writes the files of networks.

#ifndef TRIARCH_BOTS_NNUE_NETWORK_FILE_H_
#define TRIARCH_BOTS_NNUE_NETWORK_FILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "bots/nnue/network.h"

namespace triarch::nnue {

// Reads the bytes of a file. InvalidArgument: they are not a network, or are damaged.
absl::StatusOr<std::shared_ptr<const Network>> ParseNetwork(std::string_view bytes);
// NotFound: the file cannot be read; otherwise as ParseNetwork, with the file's name.
absl::StatusOr<std::shared_ptr<const Network>> ReadNetwork(const std::string& path);
// Does the same, but all who use a file at the same time share its network. `digest` is the SHA-256
// of the whole file in hex; if empty, any content is accepted. FailedPrecondition: the file has
// another one.
absl::StatusOr<std::shared_ptr<const Network>> ShareNetwork(const std::string& path,
                                                            const std::string& digest);
// Returns the bytes of a file.
std::string NetworkBytes(const Network& network);

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NETWORK_FILE_H_
