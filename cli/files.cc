#include "cli/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/report.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::string_view kStandard = "-";

// Returns the error for errno.
absl::Status FileError(std::string_view what, const std::string& path) {
  const int error = errno;
  const std::string message =
      "cannot " + std::string(what) + " " + Quote(path, 200) + ": " + std::strerror(error);
  return error == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// Reads to the end of the descriptor.
absl::Status ReadAll(int descriptor, const std::string& path, std::string& text) {
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0) return absl::OkStatus();
    if (count > 0) {
      text.append(buffer.data(), static_cast<size_t>(count));
    } else if (errno != EINTR) {
      return FileError("read", path);
    }
  }
}

// Returns the first character of a file, or '\0' if it cannot be read.
char FirstOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const int first = file.get();
  return first == std::char_traits<char>::eof() ? '\0' : static_cast<char>(first);
}

}  // namespace

absl::StatusOr<InputFile> InputFile::Open(const std::string& path) {
  const bool is_standard = path == kStandard;
  const int descriptor = is_standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return FileError("read", path);
  InputFile input;
  absl::Status status;
  struct stat about {};
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
      !is_standard) {
    const auto size = static_cast<size_t>(about.st_size);
    void* const map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (map != MAP_FAILED) {
      input.map_ = map;
      input.map_size_ = size;
    }
  }
  if (input.map_ == nullptr) status = ReadAll(descriptor, path, input.read_);
  if (!is_standard) close(descriptor);
  if (!status.ok()) return status;
  return input;
}

InputFile::InputFile(InputFile&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      map_size_(other.map_size_),
      read_(std::move(other.read_)) {}

InputFile::~InputFile() {
  if (map_ != nullptr) munmap(map_, map_size_);
}

absl::StatusOr<std::string> ReadOptionFile(std::string_view option, const std::string& path) {
  if (path.empty()) return std::string();
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return ForOption(option, file.status());
  return std::string(file->text());
}

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path, const FileKind& kind) {
  if (path == kStandard) return OutputFile(path, "", stdout);
  // A file must not replace a device or a pipe.
  struct stat about {};
  const bool exists = stat(path.c_str(), &about) == 0;
  const bool is_special = exists && !S_ISREG(about.st_mode);
  if (exists && !is_special && about.st_size > 0 && FirstOf(path) != kind.first) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s is not %s file; expected a new file, or one to replace", path, kind.name));
  }
  std::string tmp_path = is_special ? "" : path + ".tmp";
  std::FILE* const file = std::fopen(is_special ? path.c_str() : tmp_path.c_str(), "wbe");
  if (file == nullptr) return FileError("write", path);
  return OutputFile(path, std::move(tmp_path), file);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      tmp_path_(std::move(other.tmp_path_)),
      file_(std::exchange(other.file_, nullptr)) {}

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  if (!tmp_path_.empty()) unlink(tmp_path_.c_str());
}

absl::Status OutputFile::Write(std::string_view text) {
  std::string printable;
  if (file_ == stdout && isatty(STDOUT_FILENO) == 1) text = printable = Printable(text);
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    return FileError("write", path_);
  }
  return absl::OkStatus();
}

absl::Status OutputFile::Commit() {
  std::FILE* const file = std::exchange(file_, nullptr);
  const bool is_written = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
  if (is_written && tmp_path_.empty()) return absl::OkStatus();
  if (is_written && std::rename(tmp_path_.c_str(), path_.c_str()) == 0) return absl::OkStatus();
  absl::Status status = FileError("write", path_);
  if (!tmp_path_.empty()) unlink(tmp_path_.c_str());
  return status;
}

bool IsSameFile(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path one = fs::weakly_canonical(a, error);
  const fs::path other = fs::weakly_canonical(b, error);
  return !error && one == other;
}

void Print(std::string_view text) { PrintBoard(Printable(text)); }
void PrintLine(std::string_view text) { PrintBoard(PrintableLine(text) + "\n"); }
void PrintBoard(std::string_view board) { std::fwrite(board.data(), 1, board.size(), stdout); }

absl::Status PrintBytes(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
      std::fflush(stdout) == 0) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(std::string("cannot write: ") + std::strerror(errno));
}

}  // namespace triarch
