// Reads and writes the files that a command line names; "-" means standard input or output.

#ifndef TRIARCH_CLI_FILES_H_
#define TRIARCH_CLI_FILES_H_

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// Holds the text of a file. A regular file is mapped rather than read, so its size costs no memory.
// The file must not shrink while it is open.
class InputFile {
 public:
  // Returns NotFound or another error, "cannot read FILE: why".
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
  std::string read_;  // the text of a file that cannot be mapped: a pipe, an empty file
};

// Returns the text of the file named by an option, or "" if `path` is "". Errors name the option.
absl::StatusOr<std::string> ReadOptionFile(std::string_view option, const std::string& path);

// What a file that the user names may replace: another of its kind, known by its first character.
struct FileKind {
  char first;
  std::string_view name;
};
inline constexpr FileKind kTpgnFile = {'[', "a TPGN"};
inline constexpr FileKind kSvgFile = {'<', "an SVG"};
inline constexpr FileKind kFaultFile = {'#', "a fault"};
inline constexpr FileKind kJsonLinesFile = {'{', "a JSON"};

// Writes FILE.tmp and renames it on Commit, so that readers see either the old file or the complete
// new one. Without Commit, leaves nothing behind. Writes directly to a device or a pipe.
class OutputFile {
 public:
  // Fails if the file exists, is not empty and is of another kind, so that a mistyped name does not
  // cost the user a database or a bot.
  static absl::StatusOr<OutputFile> Create(const std::string& path, const FileKind& kind);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  absl::Status Write(std::string_view text);
  // Call it once, after the last Write.
  absl::Status Commit();

 private:
  OutputFile(std::string path, std::string tmp_path, std::FILE* file)
      : path_(std::move(path)), tmp_path_(std::move(tmp_path)), file_(file) {}

  std::string path_;
  std::string tmp_path_;  // empty if there is no file to rename
  std::FILE* file_;       // null after Commit or a move
};

// Returns whether both paths lead to the same file, even one that does not exist yet. "" and "-"
// are not files.
bool IsSameFile(const std::string& a, const std::string& b);

// Writes text or JSON to standard output. Makes it Printable (core/base/text.h), because names,
// errors and manifests may come from strangers. main() checks once, at the end, that this
// succeeded.
void Print(std::string_view text);
// Does the same on one line, so that the text cannot look like several.
void PrintLine(std::string_view text);
// Writes a board, whose colours are escape sequences. Requires: it contains no text of others.
void PrintBoard(std::string_view board);
// Writes binary data, which must not go to a terminal, at once.
absl::Status PrintBytes(std::string_view bytes);

}  // namespace triarch

#endif  // TRIARCH_CLI_FILES_H_
