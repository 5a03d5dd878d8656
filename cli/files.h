#ifndef TRIARCH_CLI_FILES_H_
#define TRIARCH_CLI_FILES_H_

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Files of the command line; "-" is standard input or output.
namespace triarch {

// The text of a file. A regular file is mapped, not read, so its size costs no memory; it must not
// shrink meanwhile.
class InputFile {
 public:
  // NotFound and the like, "cannot read FILE: why".
  static absl::StatusOr<InputFile> Open(const std::string& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  std::string_view text() const {
    return map_ != nullptr ? std::string_view(static_cast<const char*>(map_), map_size_) : read_;
  }

 private:
  InputFile() = default;

  void* map_ = nullptr;
  size_t map_size_ = 0;
  std::string read_;  // what cannot be mapped: pipes, empty files
};

// Writes FILE.tmp and renames it on Commit: whoever looks sees the old file or the whole new one.
// Without a Commit nothing is left. A device or pipe of that name is written as it is.
class OutputFile {
 public:
  static absl::StatusOr<OutputFile> Create(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  absl::Status Write(std::string_view text);
  // After the last Write.
  absl::Status Commit();

 private:
  OutputFile(std::string path, std::string tmp_path, std::FILE* file)
      : path_(std::move(path)), tmp_path_(std::move(tmp_path)), file_(file) {}

  std::string path_;
  std::string tmp_path_;  // empty: no file to rename
  std::FILE* file_;       // null once committed or moved away
};

// Whether both paths lead to the same file, there or yet to be made. "" and "-" are no file.
bool IsSameFile(const std::string& a, const std::string& b);

// Writes to standard output; main() looks for errors once, at the end.
inline void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace triarch

#endif  // TRIARCH_CLI_FILES_H_
