#include "bundle/bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

void Write(const std::string& path, const std::string& bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// ---- Creates tars, including ones that no tar program would write.

struct Item {
  std::string path;
  std::string bytes = "x";
  unsigned type = AE_IFREG;
  std::string link = {};  // target
  bool is_hard = false;
  unsigned mode = 0644;
};

la_ssize_t Append(archive*, void* text, const void* bytes, size_t size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

std::string Tar(const std::vector<Item>& items,
                const std::function<int(archive*)>& format = archive_write_set_format_pax) {
  std::string tar;
  archive* const writer = archive_write_new();
  CHECK(format(writer) == ARCHIVE_OK);
  CHECK(archive_write_open(writer, &tar, nullptr, Append, nullptr) == ARCHIVE_OK);
  for (const Item& item : items) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, item.path.c_str());
    archive_entry_set_filetype(entry, item.type);
    archive_entry_set_perm(entry, static_cast<mode_t>(item.mode));
    archive_entry_set_mtime(entry, 1'700'000'000, 0);
    archive_entry_set_uid(entry, 1000);
    if (!item.link.empty() && item.is_hard) archive_entry_set_hardlink(entry, item.link.c_str());
    if (!item.link.empty() && !item.is_hard) archive_entry_set_symlink(entry, item.link.c_str());
    const bool has_bytes = item.type == AE_IFREG && item.link.empty();
    archive_entry_set_size(entry, has_bytes ? static_cast<la_int64_t>(item.bytes.size()) : 0);
    CHECK(archive_write_header(writer, entry) >= ARCHIVE_WARN);
    if (has_bytes) archive_write_data(writer, item.bytes.data(), item.bytes.size());
    archive_entry_free(entry);
  }
  CHECK(archive_write_free(writer) == ARCHIVE_OK);
  return tar;
}

std::string ErrorOf(const std::string& tar) {
  return std::string(Bundle::FromTar(tar).status().message());
}

// Returns a ustar whose first header is changed and has a correct checksum.
std::string WithHeader(std::string tar, size_t offset, const std::string& bytes) {
  tar.replace(offset, bytes.size(), bytes);
  tar.replace(148, 8, "        ");
  unsigned sum = 0;
  for (size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%06o", sum);
  tar.replace(148, 7, text.data(), 7);
  return tar;
}

// ---- Accepted content.

TEST(Bundle, EqualFilesMakeEqualBundles) {
  const TemporaryFolder folder;
  Write(folder / "a/bot.yaml", "name: a\n");
  Write(folder / "a/lib/one.py", "one");
  Write(folder / "a/lib.py", "two");
  Write(folder / "a/run", "#!/bin/sh\n");
  Write(folder / "a/__pycache__/one.pyc", "left behind");
  Write(folder / "a/.git/HEAD", "left behind");
  fs::permissions(folder / "a/run", fs::perms::owner_all);
  const Bundle bundle = Bundle::FromFolder(folder / "a").value();
  EXPECT_THAT(bundle.files(), ElementsAre(Pair("bot.yaml", Bundle::File{"name: a\n", false}),
                                          Pair("lib.py", Bundle::File{"two", false}),
                                          Pair("lib/one.py", Bundle::File{"one", false}),
                                          Pair("run", Bundle::File{"#!/bin/sh\n", true})));
  EXPECT_EQ(bundle.bytes(), 24u);
  EXPECT_EQ(bundle.digest(), DigestFolder(folder / "a").value());

  // Round trip through its own tar and a folder.
  const std::string tar = bundle.ToTar();
  const Bundle again = Bundle::FromTar(tar).value();
  EXPECT_EQ(again.files(), bundle.files());
  EXPECT_EQ(again.digest(), bundle.digest());
  EXPECT_EQ(again.ToTar(), tar);
  ASSERT_TRUE(again.WriteFolder(folder / "b").ok());
  EXPECT_EQ(DigestFolder(folder / "b").value(), bundle.digest());
  EXPECT_EQ(static_cast<int>(fs::status(folder / "b/run").permissions()), 0755);
  EXPECT_EQ(static_cast<int>(fs::status(folder / "b/lib/one.py").permissions()), 0644);
  EXPECT_EQ(static_cast<int>(fs::status(folder / "b/lib").permissions()), 0755);
  EXPECT_FALSE(again.WriteFolder(folder / "b").ok()) << "the folder exists";
  EXPECT_FALSE(again.WriteFolder(folder / "no/such").ok());

  // The same bundle as other programs write it: inside a folder, in a different order, and with
  // different times and owners.
  const std::vector<Item> items = {{.path = "a/", .type = AE_IFDIR, .mode = 0700},
                                   {.path = "a/run", .bytes = "#!/bin/sh\n", .mode = 0700},
                                   {.path = "a/lib/one.py", .bytes = "one", .mode = 0600},
                                   {.path = "a/lib.py", .bytes = "two"},
                                   {.path = "a/__pycache__/x", .bytes = "left behind"},
                                   {.path = "a/bot.yaml", .bytes = "name: a\n"}};
  for (const auto& format : {archive_write_set_format_pax, archive_write_set_format_gnutar,
                             archive_write_set_format_v7tar}) {
    EXPECT_EQ(Bundle::FromTar(Tar(items, format)).value().digest(), bundle.digest());
  }
}

TEST(Bundle, EveryChangeChangesTheDigest) {
  const auto digest = [](const std::vector<Item>& items) {
    return Bundle::FromTar(Tar(items)).value().digest();
  };
  const std::string one = digest({{.path = "./bot", .bytes = "ab"}});
  EXPECT_EQ(digest({{.path = "bot", .bytes = "ab"}}), one);
  EXPECT_NE(digest({{.path = "bot", .bytes = "ac"}}), one);
  EXPECT_NE(digest({{.path = "bo", .bytes = "tab"}}), one);
  EXPECT_NE(digest({{.path = "bot", .bytes = "ab", .mode = 0755}}), one);
  EXPECT_NE(digest({{.path = "bot", .bytes = "ab"}, {.path = "b", .bytes = ""}}), one);
}

// ---- Rejected content.

TEST(Bundle, RejectsPathsOutsideTheFolder) {
  for (const std::string path : {"../bot", "a/../../bot", "/etc/passwd", "a//b", "a/./b", "..",
                                 "a/..", "new\nline", "tab\tbot", "\xc3\xa4", "bell\a"}) {
    EXPECT_THAT(ErrorOf(Tar({{.path = path}})), HasSubstr("is not a valid path")) << path;
    EXPECT_THAT(ErrorOf(Tar({{.path = path, .type = AE_IFDIR}, {.path = "bot"}})),
                HasSubstr("is not a valid path"))
        << path;
  }
  EXPECT_THAT(ErrorOf(Tar({{.path = std::string(101, 'a')}})), HasSubstr("at most 100"));
  EXPECT_TRUE(Bundle::FromTar(Tar({{.path = std::string(100, 'a')}})).ok());
  EXPECT_THAT(ErrorOf(WithHeader(Tar({{.path = "a"}}, archive_write_set_format_ustar), 0,
                                 std::string("../a\0", 5))),
              HasSubstr("\"../a\" is not a valid path"));
}

TEST(Bundle, RejectsLinksAndDevices) {
  EXPECT_THAT(ErrorOf(Tar({{.path = "a", .type = AE_IFLNK, .link = "/etc"}})),
              HasSubstr("\"a\" is a link"));
  EXPECT_THAT(ErrorOf(Tar({{.path = "a"}, {.path = "b", .type = AE_IFLNK, .link = "a"}})),
              HasSubstr("\"b\" is a link"));
  EXPECT_THAT(ErrorOf(Tar({{.path = "a"}, {.path = "b", .link = "a", .is_hard = true}})),
              HasSubstr("\"b\" is a hard link"));
  for (const unsigned type : {AE_IFCHR, AE_IFBLK, AE_IFIFO}) {
    EXPECT_THAT(ErrorOf(Tar({{.path = "a", .type = type}})), HasSubstr("a device"));
  }
  const TemporaryFolder folder;
  Write(folder / "a", "x");
  fs::create_symlink("a", folder / "b");
  EXPECT_THAT(Bundle::FromFolder(folder.path()).status().message(),
              HasSubstr("b: not a file or a folder"));
  fs::remove(folder / "b");
  ASSERT_EQ(mkfifo((folder / "b").c_str(), 0600), 0);
  EXPECT_THAT(Bundle::FromFolder(folder.path()).status().message(),
              HasSubstr("b: not a file or a folder"));
}

TEST(Bundle, RejectsFilesThatWouldRunAsTheirOwner) {
  for (const unsigned mode : {04755u, 02755u, 01644u}) {
    EXPECT_THAT(ErrorOf(Tar({{.path = "bot", .mode = mode}})),
                HasSubstr("bot: it has a setuid, setgid or sticky bit"));
    const TemporaryFolder folder;
    Write(folder / "bot", "x");
    fs::permissions(folder / "bot", fs::perms(mode));
    EXPECT_THAT(Bundle::FromFolder(folder.path()).status().message(),
                HasSubstr("/bot: it has a setuid, setgid or sticky bit"));
    EXPECT_FALSE(DigestFolder(folder.path()).ok()) << "a cached file that someone has changed";
  }
  EXPECT_TRUE(
      Bundle::FromTar(Tar({{.path = "lib/", .type = AE_IFDIR, .mode = 02755}, {.path = "lib/a"}}))
          .ok())
      << "folders of a group";
}

TEST(Bundle, RejectsDuplicatePaths) {
  EXPECT_THAT(ErrorOf(Tar({{.path = "a"}, {.path = "a"}})), HasSubstr("\"a\" appears twice"));
  EXPECT_THAT(ErrorOf(Tar({{.path = "a"}, {.path = "./a"}})), HasSubstr("\"a\" appears twice"));
  EXPECT_THAT(ErrorOf(Tar({{.path = "a"}, {.path = "a/b"}})),
              HasSubstr("\"a\" is both a file and a folder"));
  EXPECT_THAT(ErrorOf(Tar({{.path = "a/b/c"}, {.path = "a/b"}})),
              HasSubstr("\"a/b\" is both a file and a folder"));
}

TEST(Bundle, RejectsBundlesThatAreTooLarge) {
  const std::string half(kBundleBytesMax / 2, '\0');
  EXPECT_TRUE(
      Bundle::FromTar(Tar({{.path = "a", .bytes = half}, {.path = "b", .bytes = half}})).ok());
  EXPECT_THAT(ErrorOf(Tar({{.path = "a", .bytes = half}, {.path = "b", .bytes = half + "x"}})),
              HasSubstr("\"b\": a bundle may hold at most 2000 files and 32 MB"));
  // A few bytes whose header claims a huge file.
  EXPECT_THAT(
      ErrorOf(WithHeader(Tar({{.path = "a"}}, archive_write_set_format_ustar), 124, "77777777777")),
      HasSubstr("a bundle may hold at most"));
  EXPECT_NE(ErrorOf(WithHeader(Tar({{.path = "a"}}, archive_write_set_format_ustar), 124,
                               std::string("\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12))),
            "");
  EXPECT_THAT(ErrorOf(std::string(kBundleTarMax + 1, '\0')), HasSubstr("larger than 36 MB"));
  std::vector<Item> items;
  for (size_t i = 0; i < kBundleFilesMax; ++i) items.push_back({.path = std::to_string(i)});
  EXPECT_TRUE(Bundle::FromTar(Tar(items, archive_write_set_format_ustar)).ok());
  items.push_back({.path = "one"});
  EXPECT_THAT(ErrorOf(Tar(items, archive_write_set_format_ustar)), HasSubstr("at most 2000 files"));
  for (Item& item : items) item.type = AE_IFDIR;
  for (size_t i = 0; i < kBundleFilesMax; ++i) {
    items.push_back({.path = "d" + std::to_string(i), .type = AE_IFDIR});
  }
  EXPECT_THAT(ErrorOf(Tar(items, archive_write_set_format_ustar)), HasSubstr("too many entries"));
}

// A sparse file: gigabytes of zeros in a small tar.
TEST(Bundle, RejectsSparseFiles) {
  std::string tar;
  archive* const writer = archive_write_new();
  CHECK(archive_write_set_format_pax(writer) == ARCHIVE_OK);
  CHECK(archive_write_open(writer, &tar, nullptr, Append, nullptr) == ARCHIVE_OK);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, "hole");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, 1 << 20);
  archive_entry_sparse_add_entry(entry, 0, 1);
  CHECK(archive_write_header(writer, entry) >= ARCHIVE_WARN);
  archive_write_data(writer, std::string(1 << 20, 'x').data(), 1 << 20);
  archive_entry_free(entry);
  CHECK(archive_write_free(writer) == ARCHIVE_OK);
  EXPECT_THAT(ErrorOf(tar), HasSubstr("a sparse file"));
}

TEST(Bundle, RejectsInvalidTars) {
  EXPECT_THAT(ErrorOf("\x1f\x8b\x08 and so on"), HasSubstr("not an uncompressed tar, or corrupt"));
  EXPECT_NE(ErrorOf(""), "");
  EXPECT_THAT(ErrorOf(Tar({})), HasSubstr("holds no files"));
  const std::string tar = Tar({{.path = "a", .bytes = std::string(5'000, 'x')}, {.path = "b"}},
                              archive_write_set_format_ustar);
  for (size_t size = 1; size < tar.size() && size < 8 * 512; size += 100) {
    const absl::StatusOr<Bundle> cut = Bundle::FromTar(std::string_view(tar).substr(0, size));
    EXPECT_TRUE(!cut.ok() || cut->files().size() == 1) << size;
  }
  std::string damaged = tar;
  damaged[0] = 'z';
  EXPECT_THAT(ErrorOf(damaged), HasSubstr("not an uncompressed tar, or corrupt"));
  EXPECT_TRUE(absl::IsNotFound(Bundle::FromFolder("/no/such/folder").status()));
}

}  // namespace
}  // namespace triarch
