// Loads models and shares each among the bots of the process.

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

// The model of a torch bot and how to run it.
struct TorchSettings {
  std::string model;  // path of the TorchScript file
  std::string device = "cpu";
  int64_t batch = 64;     // maximum positions per batch
  int64_t wait_us = 500;  // maximum wait for more positions, in microseconds
  int64_t threads = 1;    // per batch, on the CPU

  friend bool operator==(const TorchSettings&, const TorchSettings&) = default;
};

// Returns FailedPrecondition if LibTorch cannot be loaded: this build lacks it, or the module is
// not in its place.
absl::Status CheckTorch();

// Returns the queue of a model. The process shares one queue per file, game and settings; it is
// loaded for the first player and released with the last. `digest` is the file's SHA-256 in hex;
// if empty, any content is accepted. Waits while another thread loads. Returns NotFound if the file
// is missing, FailedPrecondition like CheckTorch or if the file has changed, and InvalidArgument if
// it is not a model, not for this game or not usable on this device.
absl::StatusOr<std::shared_ptr<EvalQueue>> FindTorchModel(const TorchSettings& settings,
                                                          const EvalShape& shape,
                                                          const std::string& digest);

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_TORCH_MODELS_H_
