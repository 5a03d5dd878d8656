#include "worker/session/file_spill.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/random.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "games-";

uint64_t DrawNumber() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

class FileSpill : public Spill {
 public:
  FileSpill(std::string folder, GameCodec codec)
      : folder_(std::move(folder)), codec_(std::move(codec)), secret_(DrawNumber()) {
    RemoveFiles();
  }
  ~FileSpill() override {
    RemoveFiles();
    std::error_code ignored;
    if (is_made_) fs::remove(folder_, ignored);  // fails if others keep files there
  }

  absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) override {
    std::error_code error;
    is_made_ = fs::create_directories(folder_, error) || is_made_;
    const int64_t number = ++last_;
    const std::string path = PathOf(number);
    const std::string bytes = codec_.encode(games);
    bool is_written = false;
    {
      errno = 0;
      std::ofstream file(path + ".tmp", std::ios::binary);
      file << bytes << SumOf(bytes);
      file.close();
      is_written = !file.fail();
      error = std::error_code(is_written ? 0 : errno, std::generic_category());
    }
    if (is_written) fs::rename(path + ".tmp", path, error);
    if (!is_written || error) {
      std::error_code ignored;
      fs::remove(path + ".tmp", ignored);
      return absl::ResourceExhaustedError("cannot write " + path + ": " + error.message());
    }
    return number;
  }

  absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) override {
    std::ifstream file(PathOf(number), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    file.close();
    Drop(number);
    const size_t sum_size = SumOf("").size();
    const size_t size = bytes.size() < sum_size ? 0 : bytes.size() - sum_size;
    const std::string sum = bytes.substr(size);
    bytes.resize(size);
    if (SumOf(bytes) != sum) return absl::DataLossError(PathOf(number) + " is damaged");
    return codec_.decode(bytes);
  }

  void Drop(int64_t number) override {
    std::error_code ignored;
    fs::remove(PathOf(number), ignored);
  }

 private:
  std::string PathOf(int64_t number) const {
    return (fs::path(folder_) / (std::string(kPrefix) + std::to_string(number))).string();
  }

  // Stored at the end of each file to detect torn files and those of other processes.
  std::string SumOf(const std::string& bytes) const {
    uint64_t sum = secret_ ^ bytes.size();
    for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
      sum = Mix64(sum ^ word);
    }
    std::string text(sizeof(sum), '\0');
    std::memcpy(text.data(), &sum, sizeof(sum));
    return text;
  }

  // Also removes files of a killed process, which are no longer needed.
  void RemoveFiles() const {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::directory_iterator next(folder_, error), end; !error && next != end;
         next.increment(error)) {
      if (next->path().filename().string().starts_with(kPrefix)) files.push_back(next->path());
    }
    for (const fs::path& file : files) fs::remove(file, error);
  }

  const std::string folder_;
  const GameCodec codec_;
  const uint64_t secret_;  // unique to this process
  bool is_made_ = false;
  int64_t last_ = 0;
};

}  // namespace

std::unique_ptr<Spill> MakeFileSpill(const std::string& folder, GameCodec codec) {
  return std::make_unique<FileSpill>(folder, std::move(codec));
}

}  // namespace triarch
