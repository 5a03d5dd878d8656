#ifndef TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_
#define TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_

#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// A folder of its own under the system's folder for temporary files, which goes with all that is in
// it. The process ends if it cannot be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // The path of a file in it.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  // The names of what is in it, in no order.
  std::vector<std::string> Files() const;

 private:
  std::string path_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_
