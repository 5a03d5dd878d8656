#include "selfplay/shard/shard.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <string>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/npz.h"
#include "selfplay/shard/small_shard.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Shard, RoundTrips) {
  const Shard shard = MakeSmallShard();
  for (const Compression compression : {Compression::kDeflate, Compression::kStored}) {
    const absl::StatusOr<std::string> bytes = WriteShard(shard, compression);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const absl::StatusOr<Shard> again = ReadShard(*bytes);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, shard);
  }
}

// NumPy can read our files, with the documented types and without pickle.
TEST(Shard, NumpyReadsIt) {
  const TemporaryFolder folder;
  for (const Compression compression : {Compression::kDeflate, Compression::kStored}) {
    std::ofstream(folder / "x.npz", std::ios::binary) << *WriteShard(MakeSmallShard(), compression);
    std::ofstream(folder / "x.py") << R"(
import json, numpy, sys
f = numpy.load(sys.argv[1], allow_pickle=False)
meta = json.loads(f["meta"].item())
assert meta["format"] == 1 and meta["bots"] == ["mcts", "random"], meta
for name in sorted(f.files):
    print(name, f[name].dtype.str, f[name].shape)
print(f["game_start"].tolist(), f["legal"].tolist(), f["plies_left"].tolist())
print(f["value"][0].tolist(), numpy.isnan(f["value"][1]).all(),
      f["points"][3].astype("f8").round(2).tolist())
)";
    const std::string command =
        "/usr/bin/python3 " + (folder / "x.py") + " " + (folder / "x.npz") + " 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_THAT(output, StartsWith("cells |u1 (4, 6)\n"
                                   "game <u4 (4,)\n"
                                   "game_bots |u1 (2, 3)\n"
                                   "game_index <i8 (2,)\n"
                                   "game_moves <u2 (10,)\n"
                                   "game_moves_offsets <i8 (3,)\n"
                                   "game_points <f4 (2, 3)\n"
                                   "game_resign_ply <i4 (2, 3)\n"
                                   "game_start |S8 (2,)\n"
                                   "index <i8 (4,)\n"
                                   "legal <u2 (8,)\n"
                                   "legal_offsets <u4 (5,)\n"
                                   "meta |S"));
    EXPECT_THAT(output, HasSubstr("[b'', b'3PF text'] [7, 20, 40, 11, 7, 20, 40, 11] "
                                  "[2, 0, 2, 0]\n[0.5, 0.25, 0.25] True [0.67, 0.33, 0.0]\n"));
  }
}

// Every invalid value is detected, and the error names its array and position.
TEST(Shard, ChecksValues) {
  struct Case {
    std::function<void(Shard&)> change;
    std::string error;
  };
  const Case cases[] = {
      {[](Shard& s) { s.game_index[1] = 7; }, "array game_index at 1:"},
      {[](Shard& s) { s.game_index[0] = -1; }, "array game_index at 0:"},
      {[](Shard& s) { s.game_start[1] = "a\nb"; }, "array game_start at 1:"},
      {[](Shard& s) { s.game_moves_offsets[0] = 1; }, "array game_moves_offsets at 0:"},
      {[](Shard& s) { s.game_moves_offsets[1] = -5; }, "array game_moves_offsets at 1:"},
      {[](Shard& s) { s.game_moves_offsets[2] = 11; }, "array game_moves_offsets at 2: 11"},
      {[](Shard& s) { s.game_moves[2] = 50; }, "array game_moves at 2: invalid move 50"},
      {[](Shard& s) { s.game_moves[3] = 0xff03; }, "array game_moves at 3:"},
      {[](Shard& s) { s.game_points[3] = 0.5; }, "array game_points at 1: the sum is 0.8333"},
      {[](Shard& s) { s.game_bots[5] = 2; }, "array game_bots at 1:"},
      {[](Shard& s) { s.game_resign_ply[5] = -2; }, "array game_resign_ply at 1:"},
      {[](Shard& s) { s.game[3] = 2; }, "array game at 3:"},
      {[](Shard& s) { s.game[3] = 0; }, "array game at 3:"},
      {[](Shard& s) { s.index[2] = 7; }, "array index at 2:"},
      {[](Shard& s) { s.ply[1] = 4; }, "array ply at 1:"},
      {[](Shard& s) { s.ply[1] = 1; }, "array ply at 1:"},
      {[](Shard& s) { s.seat[1] = 3; }, "array seat at 1:"},
      {[](Shard& s) { s.cells[6] = 7; }, "array cells at 1: invalid piece 7"},
      {[](Shard& s) { s.cells[6] = 0x80; }, "array cells at 1:"},
      {[](Shard& s) { s.cells[6] = 0x19; }, "array cells at 1:"},
      {[](Shard& s) { s.state[16] = 0; }, "array state at 1:"},
      {[](Shard& s) { s.legal_offsets[4] = 9; }, "array legal_offsets at 4: 9; expected 8"},
      {[](Shard& s) { s.legal_offsets[2] = 2; }, "array legal_offsets at 2:"},
      {[](Shard& s) { s.legal[1] = 7; }, "array legal at 1:"},
      {[](Shard& s) { s.legal[2] = 50; }, "array legal at 2:"},
      {[](Shard& s) { s.policy[4] = 199; }, "array policy at 2: the sum is 254"},
      {[](Shard& s) { s.played[1] = 9; }, "array played at 1:"},
      {[](Shard& s) { s.legal[0] = 6; }, "array played at 0: expected one of the legal"},
      {[](Shard& s) { s.points[3] = 0; }, "array points at 1:"},
      {[](Shard& s) { s.value[1] = kHalfNan; }, "array value at 0:"},
      {[](Shard& s) { s.value[1] = ToHalf(0.3f); }, "array value at 0: the sum is 1.05"},
      {[](Shard& s) { s.plies_left[2] = 3; }, "array plies_left at 2: 3; expected 2"},
      {[](Shard& s) { s.weight[2] = 0.5; }, "array weight at 2:"},
      {[](Shard& s) { s.weight[2] = std::numeric_limits<float>::infinity(); },
       "array weight at 2:"},
      {[](Shard& s) { s.weight.pop_back(); }, "array weight: 3 values; expected 4"},
      {[](Shard& s) { s.policy.pop_back(); }, "array policy: 7 values; expected 8"},
  };
  for (const Case& wrong : cases) {
    Shard shard = MakeSmallShard();
    wrong.change(shard);
    const absl::Status status = CheckShard(shard);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << wrong.error;
    EXPECT_THAT(std::string(status.message()), StartsWith(wrong.error));
  }
}

// Returns the arrays of a file, for modification.
std::map<std::string, std::string> SmallArrays() {
  absl::StatusOr<std::map<std::string, std::string>> files =
      ReadNpz(*WriteShard(MakeSmallShard(), Compression::kStored));
  EXPECT_TRUE(files.ok()) << files.status();
  return *std::move(files);
}

std::string ErrorOf(const std::map<std::string, std::string>& files) {
  return std::string(ReadShardArrays(files).status().message());
}

TEST(Shard, ChecksArrays) {
  const auto files = SmallArrays();
  ASSERT_TRUE(ReadShardArrays(files).ok());
  for (const auto& [name, bytes] : files) {
    auto fewer = files;
    fewer.erase(name);
    EXPECT_EQ(ErrorOf(fewer), "array " + name + ": missing");
    auto others = files;
    others[name] = NpyHeader({'f', 4}, {0}) + "";
    EXPECT_THAT(ErrorOf(others), StartsWith("array " + name + ":")) << name;
    others[name] = "x";
    EXPECT_THAT(ErrorOf(others), StartsWith("array " + name + ": not an NPY file")) << name;
  }
  auto more = files;
  more["extra"] = files.at("game");
  EXPECT_EQ(ErrorOf(more), "array \"extra\": format 1 does not define this array");
  auto other = files;
  other["seat"] = NpyHeader({'u', 2}, {4}) + std::string(8, '\0');
  EXPECT_EQ(ErrorOf(other), "array seat: <u2 (4,); expected |u1 (4,)");
  other["seat"] = NpyHeader({'u', 1}, {2, 2}) + std::string(4, '\0');
  EXPECT_EQ(ErrorOf(other), "array seat: |u1 (2, 2); expected |u1 (4,)");
  other = files;
  other["cells"] = NpyHeader({'u', 1}, {4, 5}) + std::string(20, '\0');
  EXPECT_EQ(ErrorOf(other), "array cells: |u1 (4, 5); expected |u1 (4, 6)");
}

TEST(Shard, ChecksMeta) {
  const auto error_of = [](const std::string& from, const std::string& to) {
    auto files = SmallArrays();
    std::string meta(ReadNpy(files.at("meta"))->data);
    const size_t at = meta.find(from);
    EXPECT_NE(at, std::string::npos) << meta;
    meta.replace(at, from.size(), to);
    files["meta"] = NpyHeader({'S', meta.size()}, {}) + meta;
    return ErrorOf(files);
  };
  EXPECT_EQ(error_of("\"format\":1", "\"format\":2"),
            "array meta: /format: expected a number from 1 to 1, not 2");
  EXPECT_THAT(error_of("\"seats\":3", "\"seats\":4"), HasSubstr("/seats: expected a number"));
  EXPECT_THAT(error_of("\"cells\":6", "\"cells\":-6"), HasSubstr("/cells: expected a number"));
  EXPECT_THAT(error_of("\"policy_size\":50", "\"policy_size\":65281"), HasSubstr("/policy_size"));
  EXPECT_THAT(error_of("\"tournament\":12", "\"tournament\":18446744073709551615"),
              HasSubstr("/tournament"));
  EXPECT_THAT(error_of("\"game\":\"triumvirate\"", "\"game\":7"),
              HasSubstr("/game: expected a string"));
  EXPECT_THAT(error_of("[\"mcts\",\"random\"]", "[]"), HasSubstr("/bots: expected a list"));
  EXPECT_THAT(error_of("\"build\"", "\"bild\""), HasSubstr("the key \"build\" is missing"));
  EXPECT_THAT(error_of("{", "["), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace triarch
