// Loads models, and shares each between the bots of the process.

#ifndef TRIARCH_BOTS_TORCH_TORCH_MODELS_H_
#define TRIARCH_BOTS_TORCH_TORCH_MODELS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/torch/eval_queue.h"
#include "bots/torch/evaluator.h"

namespace triarch {

// Which model a torch bot uses, and how.
struct TorchSettings {
  std::string model;  // path of the TorchScript file
  std::string device = "cpu";
  int64_t batch = 64;     // positions at a time, at most
  int64_t wait_us = 500;  // microseconds that a batch waits for more of them
  int64_t threads = 1;    // for one batch, on the CPU

  friend bool operator==(const TorchSettings&, const TorchSettings&) = default;
};

// Whether LibTorch can be loaded here. FailedPrecondition: this build is without it, or its module
// is not where it belongs.
absl::Status CheckTorch();

// The queue of that model, one in the process for the same file, game and settings: it is loaded
// when the first player asks and let go with the last. `digest` is the file's SHA-256 in hex;
// empty: whatever is there. Waits while another thread loads. NotFound: there is no such file;
// FailedPrecondition: as CheckTorch, or it is another file now; InvalidArgument: it is no model, or
// none of that game, or cannot be used on that device.
absl::StatusOr<std::shared_ptr<EvalQueue>> FindTorchModel(const TorchSettings& settings,
                                                          const EvalShape& shape,
                                                          const std::string& digest);

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_TORCH_MODELS_H_
