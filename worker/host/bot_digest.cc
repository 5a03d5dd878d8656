#include "worker/host/bot_digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/escaping.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void Add(std::string_view bytes) {
    CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  // With its end, so that what follows is not taken for a part of it.
  void AddText(std::string_view text) {
    Add(text);
    Add(std::string_view("\0", 1));
  }
  absl::Status AddFile(const fs::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (file == nullptr) return Unreadable(path);
    std::array<char, 1 << 16> bytes;
    size_t count = 0;
    while ((count = std::fread(bytes.data(), 1, bytes.size(), file.get())) > 0) {
      Add({bytes.data(), count});
    }
    return std::ferror(file.get()) ? Unreadable(path) : absl::OkStatus();
  }
  std::string Hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), size});
  }

 private:
  static absl::Status Unreadable(const fs::path& path) {
    return absl::NotFoundError(path.string() + ": " + std::strerror(errno));
  }

  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

// What running a bot or keeping its history leaves behind.
bool IsPassedOver(const fs::path& folder) {
  return folder.filename() == "__pycache__" || folder.filename() == ".git";
}

// All files below, by name.
absl::StatusOr<std::vector<fs::path>> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::file_status status = entry->symlink_status(error);
    if (error) break;
    if (fs::is_directory(status)) {
      if (IsPassedOver(*entry)) entry.disable_recursion_pending();
      continue;
    }
    if (!fs::is_regular_file(status)) {
      return absl::InvalidArgumentError(entry->path().string() +
                                        ": neither a file nor a folder; a bot has only those");
    }
    files.push_back(entry->path());
  }
  if (error) return absl::NotFoundError(folder.string() + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

absl::StatusOr<std::string> DigestFile(const std::string& path) {
  Sha256 sha;
  RETURN_IF_ERROR(sha.AddFile(path));
  return sha.Hex();
}

absl::StatusOr<std::string> DigestFolder(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<fs::path> files, FilesBelow(path));
  Sha256 sha;
  for (const fs::path& file : files) {
    std::error_code error;
    const bool is_executable =
        (fs::status(file, error).permissions() & fs::perms::owner_exec) != fs::perms::none;
    sha.AddText(fs::relative(file, path).generic_string());
    sha.AddText(is_executable ? "x" : "-");
    sha.AddText(std::to_string(fs::file_size(file, error)));
    RETURN_IF_ERROR(sha.AddFile(file));
  }
  return sha.Hex();
}

absl::StatusOr<std::string> DigestBot(const BotSpec& spec) {
  if (!spec.library.empty()) return DigestFile(spec.library);
  if (!spec.dir.empty()) return DigestFolder(spec.dir);
  return std::string();
}

}  // namespace triarch
