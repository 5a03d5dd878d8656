// Creates a temporary folder that is deleted with its object.

#ifndef TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_
#define TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_

#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// Creates a folder in the system's folder for temporary files; the destructor deletes it and its
// contents. Aborts the process if it cannot be created.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // Returns the path of a file in the folder.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  // Returns the names of the folder's entries, unordered.
  std::vector<std::string> Files() const;

 private:
  std::string path_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_TEMPORARY_FOLDER_H_
