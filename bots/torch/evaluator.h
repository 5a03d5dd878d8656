// Declares the interface for evaluating positions with a model, without LibTorch's types.

#ifndef TRIARCH_BOTS_TORCH_EVALUATOR_H_
#define TRIARCH_BOTS_TORCH_EVALUATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Evaluates positions with a model. The interface uses standard types only: its LibTorch
// implementation is a separate module, loaded on demand (torch_models.h), that shares nothing else
// with this process.
namespace triarch {

// The sizes of a model's input and output, by game (core/game/sample.h).
struct EvalShape {
  std::string_view game;   // "tri-d"
  size_t cells = 0;        // bytes per position
  size_t policy_size = 0;  // number of policy indices
  size_t seats = 0;
};

// Positions to evaluate, and the results.
struct EvalBatch {
  size_t count = 0;
  std::vector<uint8_t> cells;  // count × EvalShape::cells
  std::vector<uint8_t> state;  // count × kSampleState
  // The requested logits: position · policy_size + policy index, positions ascending.
  std::vector<int64_t> picks;

  std::vector<float> logits;  // one per pick
  std::vector<float> values;  // count × EvalShape::seats: shares of the points, adding up to 1 per
                              // position

  void Clear() {
    count = 0;
    for (std::vector<uint8_t>* const bytes : {&cells, &state}) bytes->clear();
    picks.clear();
    logits.clear();
    values.clear();
  }
};

// Used by one thread at a time.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Fills in logits and values, sized according to the batch. Returns an error message, or an empty
  // string on success.
  virtual std::string Evaluate(EvalBatch& batch) = 0;
};

// The arguments for loading a model with LibTorch.
struct TorchModel {
  std::string_view bytes;   // content of the TorchScript file
  std::string_view device;  // "cpu", "cuda"
  int threads = 1;          // per batch, on the CPU
  EvalShape shape;
};

// Exported by the module under the name kLoadTorchModel, which changes with every change to this
// header. The caller owns the result. Returns null on failure, with a one-line `error`.
using LoadTorchModelFn = Evaluator*(const TorchModel& model, std::string* error);
inline constexpr const char* kLoadTorchModel = "TriarchLoadTorchModel1";

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_EVALUATOR_H_
