#include "bots/torch/torch_models.h"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

#ifdef TRIARCH_TORCH_MODULE
// Looks next to the program, wherever it is installed, then in the build folder. Loading LibTorch
// takes half a second, so no program is linked with it.
absl::StatusOr<std::string> FindModule() {
  const fs::path built = TRIARCH_TORCH_MODULE;
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path : {beside / built.filename(), built}) {
    if (fs::exists(path, error)) return path.string();
  }
  return absl::FailedPreconditionError("no torch bot is available: " + built.filename().string() +
                                       " is not in " + beside.string());
}
#else
absl::StatusOr<std::string> FindModule() {
  return absl::FailedPreconditionError(
      "this build has no torch bot: build with -DTRIARCH_TORCH=ON");
}
#endif

// The module is never unloaded.
absl::StatusOr<LoadTorchModelFn*> LoadModule() {
  ASSIGN_OR_RETURN(const std::string path, FindModule());
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    return absl::FailedPreconditionError("cannot load " + path + ": " + dlerror());
  }
  void* const load = dlsym(module, kLoadTorchModel);
  if (load != nullptr) return reinterpret_cast<LoadTorchModelFn*>(load);
  return absl::FailedPreconditionError(path + " is from another build");
}

absl::StatusOr<std::string> ReadModel(const std::string& path, const std::string& digest) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return absl::NotFoundError("cannot read the model " + path);
  if (digest.empty() || Sha256Hex(bytes) == digest) return bytes;
  return absl::FailedPreconditionError("the model " + path +
                                       " has changed since the tournament began");
}

// The loaded models' queues.
class Models {
 public:
  absl::StatusOr<std::shared_ptr<EvalQueue>> Find(const TorchSettings& settings,
                                                  const EvalShape& shape,
                                                  const std::string& digest) {
    const Key key(shape.game, digest, settings.model, settings.device, settings.batch,
                  settings.wait_us, settings.threads);
    MutexLock lock(&mutex_);
    std::weak_ptr<EvalQueue>& known = queues_[key];
    if (std::shared_ptr<EvalQueue> queue = known.lock()) return queue;
    ASSIGN_OR_RETURN(std::shared_ptr<EvalQueue> queue, Load(settings, shape, digest));
    known = queue;
    return queue;
  }

 private:
  using Key =
      std::tuple<std::string, std::string, std::string, std::string, int64_t, int64_t, int64_t>;

  static absl::StatusOr<std::shared_ptr<EvalQueue>> Load(const TorchSettings& settings,
                                                         const EvalShape& shape,
                                                         const std::string& digest) {
    ASSIGN_OR_RETURN(LoadTorchModelFn* const load, LoadModule());
    ASSIGN_OR_RETURN(const std::string bytes, ReadModel(settings.model, digest));
    std::string error;
    std::unique_ptr<Evaluator> evaluator(load({.bytes = bytes,
                                               .device = settings.device,
                                               .threads = static_cast<int>(settings.threads),
                                               .shape = shape},
                                              &error));
    if (evaluator == nullptr) {
      return absl::InvalidArgumentError("the model " + settings.model + ": " + error);
    }
    return std::make_shared<EvalQueue>(
        std::move(evaluator), shape,
        EvalQueueOptions{.batch = static_cast<size_t>(settings.batch),
                         .wait = std::chrono::microseconds(settings.wait_us)});
  }

  Mutex mutex_;
  std::map<Key, std::weak_ptr<EvalQueue>> queues_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::Status CheckTorch() { return FindModule().status(); }

absl::StatusOr<std::shared_ptr<EvalQueue>> FindTorchModel(const TorchSettings& settings,
                                                          const EvalShape& shape,
                                                          const std::string& digest) {
  // Never destroyed, because threads may still use it when the program ends.
  static Models* const models = new Models();
  return models->Find(settings, shape, digest);
}

}  // namespace triarch
