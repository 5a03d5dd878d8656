#include "core/base/temporary_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>

#include "core/base/check.h"

namespace triarch {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder()
    : path_((fs::temp_directory_path() / "triarch_").string() + std::string(6, 'X')) {
  CHECK(mkdtemp(path_.data()) != nullptr);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::Files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

}  // namespace triarch
