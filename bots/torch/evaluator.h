// Declares how positions are evaluated by a model, without LibTorch's types.

#ifndef TRIARCH_BOTS_TORCH_EVALUATOR_H_
#define TRIARCH_BOTS_TORCH_EVALUATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What turns positions into numbers. Standard types only: the one that uses LibTorch is a module of
// its own, which is loaded when it is needed (torch_models.h), and shares nothing else with us.
namespace triarch {

// What a model is asked, by game (core/game/sample.h).
struct EvalShape {
  std::string_view game;   // "tri-d"
  size_t cells = 0;        // bytes of a position's cells
  size_t policy_size = 0;  // policy indices
  size_t seats = 0;
};

// Positions to evaluate, and what came of it.
struct EvalBatch {
  size_t count = 0;
  std::vector<uint8_t> cells;  // count × EvalShape::cells
  std::vector<uint8_t> state;  // count × kSampleState
  // The logits that are asked for: position · policy_size + policy index, the positions ascending.
  std::vector<int64_t> picks;

  std::vector<float> logits;  // beside `picks`
  std::vector<float> values;  // count × EvalShape::seats: shares of the points, each adding up to 1

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
  // Fills in logits and values, of the sizes that the batch says. Returns what went wrong; empty if
  // nothing did.
  virtual std::string Evaluate(EvalBatch& batch) = 0;
};

// What makes one with LibTorch.
struct TorchModel {
  std::string_view bytes;   // of the TorchScript file
  std::string_view device;  // "cpu", "cuda"
  int threads = 1;          // for one batch, on the CPU
  EvalShape shape;
};

// Exported by the module under the name kLoadTorchModel, which changes whenever this header does.
// The caller owns what it gives; null if it fails, with `error` in one line.
using LoadTorchModelFn = Evaluator*(const TorchModel& model, std::string* error);
inline constexpr const char* kLoadTorchModel = "TriarchLoadTorchModel1";

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_EVALUATOR_H_
