// Reads untrusted tars as bundles, and writes bundles as tars in one canonical form.

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "bundle/bot_files.h"
#include "bundle/bundle.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_manifest.h"

namespace triarch {
namespace {

using Files = std::map<std::string, Bundle::File>;
using Reader = std::unique_ptr<archive, int (*)(archive*)>;
using Writer = std::unique_ptr<archive, int (*)(archive*)>;
using Entry = std::unique_ptr<archive_entry, void (*)(archive_entry*)>;

constexpr size_t kEntriesMax = 2 * kBundleFilesMax;  // including folders

std::string WhyNot(archive* reader) {
  const char* const why = archive_error_string(reader);
  return why == nullptr ? "it is corrupt" : why;
}

absl::Status NoTar(archive* reader) {
  return absl::InvalidArgumentError("not an uncompressed tar, or corrupt: " + WhyNot(reader));
}

// Strips the leading "./" that tar writes and the trailing slash.
std::string_view Bare(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path == "." ? std::string_view() : path;
}

absl::Status CheckKind(std::string_view path, archive_entry* entry) {
  const auto fail = [&](const char* what) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is %s; a bundle may hold only files and folders", Quote(path), what));
  };
  if (archive_entry_hardlink(entry) != nullptr) return fail("a hard link");
  if (archive_entry_filetype(entry) == AE_IFLNK) return fail("a link");
  if (archive_entry_filetype(entry) != AE_IFREG && archive_entry_filetype(entry) != AE_IFDIR) {
    return fail("a device, a pipe or a socket");
  }
  if (archive_entry_sparse_count(entry) > 0) return fail("a sparse file");
  return absl::OkStatus();
}

// Requires: `size` is within limits.
absl::StatusOr<std::string> ReadContents(archive* reader, size_t size) {
  std::string bytes(size, '\0');
  size_t read = 0;
  while (read < size) {
    const la_ssize_t count = archive_read_data(reader, bytes.data() + read, size - read);
    if (count <= 0) return NoTar(reader);
    read += static_cast<size_t>(count);
  }
  return bytes;
}

// Reads one entry. `room` is how many bytes the files may still take.
absl::Status Take(archive* reader, archive_entry* entry, size_t* room, Files* files) {
  const char* const raw = archive_entry_pathname(entry);
  const std::string_view path = raw == nullptr ? std::string_view() : Bare(raw);
  if (IsIgnoredFile(path)) return absl::OkStatus();
  RETURN_IF_ERROR(CheckKind(raw == nullptr ? "" : raw, entry));
  const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
  if (is_folder && raw != nullptr && path.empty()) return absl::OkStatus();  // the root folder
  RETURN_IF_ERROR(CheckBundlePath(path));
  if (is_folder) return absl::OkStatus();
  RETURN_IF_ERROR(
      CheckFileMode(std::string(path), std::filesystem::perms(archive_entry_perm(entry))));
  const la_int64_t size = archive_entry_size(entry);
  if (size < 0 || static_cast<uint64_t>(size) > *room || files->size() == kBundleFilesMax) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: a bundle may hold at most %d files and %d MB", Quote(path),
        static_cast<int>(kBundleFilesMax), static_cast<int>(kBundleBytesMax >> 20)));
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadContents(reader, static_cast<size_t>(size)));
  *room -= bytes.size();
  const bool is_executable = (archive_entry_perm(entry) & 0100) != 0;
  if (!files->try_emplace(std::string(path), Bundle::File{std::move(bytes), is_executable})
           .second) {
    return absl::InvalidArgumentError(Quote(path) + " appears twice");
  }
  return absl::OkStatus();
}

// Strips the single top-level folder, if there is one and it holds the bundle's manifest.
Files WithoutTopFolder(Files files) {
  if (files.empty() || files.contains(std::string(kManifestFile))) return files;
  const std::string& first = files.begin()->first;
  const std::string top = first.substr(0, first.find('/') + 1);
  if (top.empty() || !files.contains(top + std::string(kManifestFile))) return files;
  Files inner;
  for (const auto& [path, file] : files) {
    if (!path.starts_with(top)) return files;
  }
  for (auto& [path, file] : files) inner[path.substr(top.size())] = std::move(file);
  return inner;
}

la_ssize_t Append(archive*, void* text, const void* bytes, size_t size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

absl::StatusOr<Bundle> Bundle::FromTar(std::string_view tar) {
  if (tar.size() > kBundleTarMax) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the tar is larger than %d MB", static_cast<int>(kBundleTarMax >> 20)));
  }
  const Reader reader(archive_read_new(), archive_read_free);
  const Entry entry(archive_entry_new(), archive_entry_free);
  CHECK(reader != nullptr && entry != nullptr);
  CHECK(archive_read_support_format_tar(reader.get()) == ARCHIVE_OK);
  if (archive_read_open_memory(reader.get(), tar.data(), tar.size()) != ARCHIVE_OK) {
    return NoTar(reader.get());
  }
  Files files;
  size_t room = kBundleBytesMax;
  for (size_t entries = 0;; ++entries) {
    const int read = archive_read_next_header2(reader.get(), entry.get());
    if (read == ARCHIVE_EOF) break;
    if (read != ARCHIVE_OK && read != ARCHIVE_WARN) return NoTar(reader.get());
    if (entries == kEntriesMax) return absl::InvalidArgumentError("the tar has too many entries");
    RETURN_IF_ERROR(Take(reader.get(), entry.get(), &room, &files));
  }
  if (files.empty()) return absl::InvalidArgumentError("the tar holds no files");
  return Make(WithoutTopFolder(std::move(files)));
}

std::string Bundle::ToTar() const {
  std::string tar;
  const Writer writer(archive_write_new(), archive_write_free);
  const Entry entry(archive_entry_new(), archive_entry_free);
  CHECK(writer != nullptr && entry != nullptr);
  CHECK(archive_write_set_format_ustar(writer.get()) == ARCHIVE_OK);
  CHECK(archive_write_open(writer.get(), &tar, nullptr, Append, nullptr) == ARCHIVE_OK);
  for (const auto& [path, file] : files_) {
    archive_entry_clear(entry.get());
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), file.is_executable ? 0755 : 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    archive_entry_set_mtime(entry.get(), 0, 0);
    CHECK(archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK);
    CHECK(archive_write_data(writer.get(), file.bytes.data(), file.bytes.size()) ==
          static_cast<la_ssize_t>(file.bytes.size()));
  }
  CHECK(archive_write_close(writer.get()) == ARCHIVE_OK);
  return tar;
}

}  // namespace triarch
