// Implements the module triarch_torch.so, the only unit that includes LibTorch's headers. See
// evaluator.h.

#include <ATen/Parallel.h>
#include <malloc.h>
#include <torch/cuda.h>
#include <torch/script.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bots/torch/evaluator.h"
#include "core/game/sample.h"

namespace triarch {
namespace {

constexpr int64_t kFormat = 1;  // format of a model's inputs and outputs: docs/torch-bot.md

// LibTorch's messages are pages long. The cause of a script error is in the last line, of other
// errors in the first.
std::string OneLine(const std::exception& error) {
  const auto* const torch = dynamic_cast<const c10::Error*>(&error);
  std::istringstream text(torch != nullptr ? torch->what_without_backtrace() : error.what());
  std::string first;
  std::string last;
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    if (first.empty()) first = line;
    last = line;
  }
  return first.find("TorchScript interpreter") != std::string::npos ? last : first;
}

std::string SizesText(const torch::Tensor& tensor) {
  std::ostringstream text;
  text << c10::toString(tensor.scalar_type()) << " " << tensor.sizes();
  return text.str();
}

class TorchEvaluator final : public Evaluator {
 public:
  TorchEvaluator(torch::jit::Module module, torch::Device device, const TorchModel& model)
      : module_(std::move(module)), device_(device), threads_(model.threads), shape_(model.shape) {}

  std::string Evaluate(EvalBatch& batch) override {
    try {
      return EvaluateOrThrow(batch);
    } catch (const std::exception& error) {
      return "the model failed: " + OneLine(error);
    }
  }

 private:
  std::string EvaluateOrThrow(EvalBatch& batch) {
    // All of these settings are per thread.
    if (at::get_num_threads() != threads_) at::set_num_threads(threads_);
    const c10::InferenceMode no_gradients;
    const auto count = static_cast<int64_t>(batch.count);
    const torch::Tensor cells = OnDevice(batch.cells, count, torch::kUInt8);
    const torch::Tensor state = OnDevice(batch.state, count, torch::kUInt8);
    const auto answer = module_.forward({cells, state}).toTuple();
    if (answer->elements().size() != 2) return "the model did not return a pair (policy, values)";
    const torch::Tensor policy = answer->elements()[0].toTensor();
    const torch::Tensor values = answer->elements()[1].toTensor();
    std::string error = Check("policy", policy, count, shape_.policy_size);
    if (error.empty()) error = Check("values", values, count, shape_.seats);
    if (!error.empty()) return error;
    const torch::Tensor picks = OnDevice(batch.picks, -1, torch::kInt64).flatten();
    Copy(policy.reshape({-1}).index_select(0, picks), &batch.logits);
    Copy(values, &batch.values);
    return "";
  }

  template <class T>
  torch::Tensor OnDevice(std::vector<T>& numbers, int64_t rows, torch::Dtype type) const {
    const auto columns = rows > 0 ? static_cast<int64_t>(numbers.size()) / rows : 1;
    return torch::from_blob(numbers.data(),
                            {static_cast<int64_t>(numbers.size()) / columns, columns}, type)
        .to(device_);
  }

  static void Copy(const torch::Tensor& from, std::vector<float>* to) {
    const torch::Tensor here = from.to(torch::kCPU).contiguous();
    to->resize(static_cast<size_t>(here.numel()));
    std::memcpy(to->data(), here.data_ptr<float>(), to->size() * sizeof(float));
  }

  static std::string Check(const char* what, const torch::Tensor& tensor, int64_t count,
                           size_t columns) {
    const std::vector<int64_t> sizes = {count, static_cast<int64_t>(columns)};
    if (tensor.sizes() == sizes && tensor.scalar_type() == torch::kFloat32) return "";
    std::ostringstream text;
    text << "its " << what << " is " << SizesText(tensor) << "; expected Float "
         << c10::IntArrayRef(sizes);
    return text.str();
  }

  torch::jit::Module module_;
  const torch::Device device_;
  const int threads_;
  const EvalShape shape_;
};

// Checks the file's labels against the game.
std::string CheckLabels(const torch::jit::Module& module, const EvalShape& shape) {
  for (const char* const label : {"triarch_game", "triarch_format"}) {
    if (!module.hasattr(label)) {
      return std::string("it has no attribute ") + label + " (examples/train/train.py sets it)";
    }
  }
  const std::string game = module.attr("triarch_game").toStringRef();
  if (game != shape.game) return "it plays " + game + ", not " + std::string(shape.game);
  const int64_t format = module.attr("triarch_format").toInt();
  if (format == kFormat) return "";
  return "it has format " + std::to_string(format) + "; expected " + std::to_string(kFormat);
}

// Evaluates a batch of empty boards to check that the shapes are right and the values are shares.
std::string Try(Evaluator& evaluator, const EvalShape& shape) {
  EvalBatch batch;
  batch.count = 2;
  batch.cells.resize(2 * shape.cells);
  batch.state.resize(2 * kSampleState);
  batch.picks = {0, static_cast<int64_t>(2 * shape.policy_size - 1)};
  std::string error = evaluator.Evaluate(batch);
  for (size_t i = 0; error.empty() && i < 2; ++i) {
    float sum = 0;
    for (size_t s = 0; s < shape.seats; ++s) sum += batch.values[i * shape.seats + s];
    if (std::abs(sum - 1) > 0.01f) {
      error = "the values of a position add up to " + std::to_string(sum) + "; expected 1";
    }
  }
  return error;
}

// LibTorch allocates megabytes per batch and frees them immediately. Mapping and clearing them anew
// each time took twice as long as the arithmetic.
void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the maximum allowed
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

std::unique_ptr<Evaluator> Load(const TorchModel& model, std::string* error) {
  KeepFreedMemory();
  // Batch sizes vary, and specialising for each one would take seconds.
  torch::jit::getProfilingMode() = false;
  const torch::Device device{std::string(model.device)};
  if (device.is_cuda() && !torch::cuda::is_available()) {
    *error = "LibTorch finds no CUDA device here";
    return nullptr;
  }
  std::istringstream bytes{std::string(model.bytes)};
  torch::jit::Module module = torch::jit::load(bytes, device);
  *error = CheckLabels(module, model.shape);
  if (!error->empty()) return nullptr;
  module.eval();
  auto evaluator = std::make_unique<TorchEvaluator>(torch::jit::freeze(module), device, model);
  *error = Try(*evaluator, model.shape);
  if (!error->empty()) return nullptr;
  return evaluator;
}

}  // namespace
}  // namespace triarch

extern "C" __attribute__((visibility("default"))) triarch::Evaluator* TriarchLoadTorchModel1(
    const triarch::TorchModel& model, std::string* error) {
  try {
    return triarch::Load(model, error).release();
  } catch (const std::exception& failure) {
    *error = triarch::OneLine(failure);
    return nullptr;
  }
}
