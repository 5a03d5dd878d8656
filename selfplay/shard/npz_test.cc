#include "selfplay/shard/npz.h"

#include <cstring>
#include <string>
#include <utility>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

std::string Zeros(size_t size) { return std::string(size, '\0'); }

NamedArray Bytes(const std::string& name, std::string_view data) {
  return {name, {.type = {'u', 1}, .shape = {data.size()}, .data = data}};
}

std::string Written(const std::vector<NamedArray>& arrays, int level) {
  absl::StatusOr<std::string> bytes = WriteNpz(arrays, level);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return *std::move(bytes);
}

std::string NpzErrorOf(std::string_view bytes, size_t bytes_max = kNpzBytesMax) {
  return std::string(ReadNpz(bytes, bytes_max).status().message());
}

// Writes a 4-byte number `offset` bytes after each occurrence of `sign`.
std::string WithNumber(std::string bytes, const char* sign, size_t offset, uint32_t number) {
  for (size_t at = bytes.find(sign); at != std::string::npos; at = bytes.find(sign, at + 1)) {
    std::memcpy(bytes.data() + at + offset, &number, sizeof number);
  }
  return bytes;
}

constexpr const char* kCentral = "PK\x01\x02";
constexpr const char* kLocal = "PK\x03\x04";

TEST(Npz, RoundTripsAndIsDeterministic) {
  const std::string large = Zeros(100'000) + "end";
  for (const int level : {kNpzStored, 1, 6, 9}) {
    const std::vector<NamedArray> arrays = {Bytes("b", large), Bytes("a", "xyz"),
                                            Bytes("none", {})};
    const std::string bytes = Written(arrays, level);
    EXPECT_EQ(bytes, Written(arrays, level));
    EXPECT_EQ(bytes.size() < 1'500, level != kNpzStored) << bytes.size();
    const auto files = ReadNpz(bytes);
    ASSERT_TRUE(files.ok()) << files.status();
    ASSERT_EQ(files->size(), 3u);
    for (const NamedArray& named : arrays) {
      const absl::StatusOr<NpyArray> array = ReadNpy(files->at(named.name));
      ASSERT_TRUE(array.ok()) << array.status();
      EXPECT_EQ(array->data, named.array.data);
    }
  }
}

TEST(Npz, StoresWhatDeflateDoesNotShrink) {
  std::string noise;
  for (uint64_t i = 0; i < 10'000; ++i) noise += static_cast<char>(Mix64(i) & 255);
  const std::string zeros = Zeros(10'000);
  const std::string stored = Written({Bytes("noise", noise)}, kNpzStored);
  const std::string bytes = Written({Bytes("noise", noise)}, 6);
  EXPECT_EQ(bytes, stored);
  const std::string both = Written({Bytes("noise", noise), Bytes("zeros", zeros)}, 6);
  EXPECT_LT(both.size(), stored.size() + 500);
  const auto files = ReadNpz(both);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(ReadNpy(files->at("noise"))->data, noise);
  EXPECT_EQ(ReadNpy(files->at("zeros"))->data, zeros);
}

TEST(Npz, ReusesMemory) {
  const std::string data = Zeros(1'000) + "end";
  for (const int level : {kNpzStored, 6}) {
    const std::string expected = Written({Bytes("a", data)}, level);
    std::string memory(100'000, 'x');
    const char* const at = memory.data();
    const std::string bytes = *WriteNpz({Bytes("a", data)}, level, std::move(memory));
    EXPECT_EQ(bytes, expected);
    EXPECT_EQ(bytes.data(), at);
  }
}

TEST(Npz, RefusesToWriteTooMuch) {
  const std::string_view huge(kLocal, kNpzBytesMax + 1);  // never read
  const absl::StatusOr<std::string> bytes = WriteNpz({Bytes("huge", huge)}, 6);
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(bytes.status().message()), HasSubstr("expected at most 2147483648"));
}

TEST(Npz, RejectsOtherFiles) {
  EXPECT_THAT(NpzErrorOf(""), HasSubstr("not an NPZ file"));
  EXPECT_THAT(NpzErrorOf(Zeros(1'000)), HasSubstr("not an NPZ file"));
  const std::string bytes = Written({Bytes("a", Zeros(100)), Bytes("b", "x")}, 6);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadNpz(bytes.substr(0, size)).ok()) << size;
  }
}

TEST(Npz, VerifiesChecksums) {
  std::string bytes = Written({Bytes("a", "hello")}, kNpzStored);
  bytes[bytes.find("hello")] = 'j';
  EXPECT_THAT(NpzErrorOf(bytes), HasSubstr("corrupt"));
}

TEST(Npz, RejectsZipBombs) {
  const std::string bytes = Written({Bytes("a", Zeros(10'000'000))}, 9);
  ASSERT_LT(bytes.size(), 20'000u);
  EXPECT_TRUE(ReadNpz(bytes).ok());
  EXPECT_THAT(NpzErrorOf(bytes, 1'000'000), HasSubstr("expected at most 1000000"));
  // Declare a size below, and one above, the real one.
  for (const uint32_t size : {1'000u, 10'500'000u}) {
    std::string liar = WithNumber(bytes, kCentral, 24, size);
    liar = WithNumber(liar, kLocal, 22, size);
    EXPECT_FALSE(ReadNpz(liar).ok()) << size;
  }
  // A declared size that deflate cannot reach is rejected before memory is allocated.
  std::string liar = WithNumber(bytes, kCentral, 24, 0x7f000000);
  liar = WithNumber(liar, kLocal, 22, 0x7f000000);
  EXPECT_THAT(NpzErrorOf(liar), HasSubstr("claims 2130706432 bytes"));
}

TEST(Npz, ChecksNames) {
  std::string bytes = Written({Bytes("ab", "x"), Bytes("cd", "y")}, kNpzStored);
  const auto renamed = [&bytes](const std::string& from, const std::string& to) {
    std::string other = bytes;
    for (size_t at = other.find(from); at != std::string::npos; at = other.find(from, at + 1)) {
      other.replace(at, from.size(), to);
    }
    return other;
  };
  EXPECT_THAT(NpzErrorOf(renamed("cd.npy", "ab.npy")),
              HasSubstr("not an NPZ file: File already exists"));
  EXPECT_THAT(NpzErrorOf(renamed("cd.npy", "cd.exe")),
              HasSubstr("expected names that end in .npy"));
  EXPECT_THAT(NpzErrorOf(renamed("cd.npy", "c\n.npy")),
              HasSubstr("expected names that end in .npy"));
}

}  // namespace
}  // namespace triarch
