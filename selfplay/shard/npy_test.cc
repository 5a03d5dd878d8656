#include "selfplay/shard/npy.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::string_literals::operator""s;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Returns a file with the given header and data, valid or not.
std::string File(std::string header, const std::string& data = "", size_t version = 1) {
  header += '\n';
  return "\x93NUMPY"s + static_cast<char>(version) + '\0' + static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header + data;
}

std::string NpyErrorOf(const std::string& file) {
  return std::string(ReadNpy(file).status().message());
}

TEST(Npy, WritesWhatNumpyWrites) {
  // numpy.save(f, numpy.array([[1, 2, 3], [4, 5, 6]], dtype=numpy.uint16))
  const std::string expected =
      "\x93NUMPY\x01\x00v\x00{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }"s +
      std::string(58, ' ') + "\n\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"s;
  const std::vector<uint16_t> values = {1, 2, 3, 4, 5, 6};
  const NpyArray array = NpyOf(values, {2, 3});
  EXPECT_EQ(NpyHeader(array.type, array.shape) + std::string(array.data), expected);
  EXPECT_EQ(NpyHeader({'S', 3}, {}).size() % 64, 0u);
  EXPECT_THAT(NpyHeader({'S', 3}, {}), HasSubstr("'descr': '|S3'"));
  EXPECT_THAT(NpyHeader({'S', 3}, {}), HasSubstr("'shape': ()"));
  EXPECT_THAT(NpyHeader({'u', 1}, {7}), HasSubstr("'descr': '|u1'"));
  EXPECT_THAT(NpyHeader({'u', 1}, {7}), HasSubstr("'shape': (7,)"));
}

template <class T>
void ExpectRoundTrip(const char* name) {
  const std::vector<T> values = {T{}, T{1}, T{2}};
  const NpyArray array = NpyOf(values, {3, 1});
  EXPECT_EQ(ToString(array.type), name);
  const std::string file = NpyHeader(array.type, array.shape) + std::string(array.data);
  const absl::StatusOr<NpyArray> again = ReadNpy(file);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->type, array.type);
  EXPECT_THAT(again->shape, ElementsAre(3, 1));
  EXPECT_EQ(ValuesOf<T>(*again), values);
}

TEST(Npy, EveryTypeRoundTrips) {
  ExpectRoundTrip<uint8_t>("|u1");
  ExpectRoundTrip<uint16_t>("<u2");
  ExpectRoundTrip<uint32_t>("<u4");
  ExpectRoundTrip<int32_t>("<i4");
  ExpectRoundTrip<int64_t>("<i8");
  ExpectRoundTrip<float>("<f4");
  ExpectRoundTrip<Half>("<f2");
}

TEST(Npy, AcceptsAnyOrderOfKeysAndSpaces) {
  const absl::StatusOr<NpyArray> array =
      ReadNpy(File("{ \"shape\" :( 2 , ) ,'fortran_order':False,'descr':'|S2'}", "abcd"));
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(ToString(array->type), "|S2");
  EXPECT_THAT(array->shape, ElementsAre(2));
  EXPECT_EQ(array->data, "abcd");
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  const auto dict = [](const std::string& type, const std::string& order,
                       const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + "}";
  };
  const std::string right = dict("|u1", "False", "(2,)");
  EXPECT_TRUE(ReadNpy(File(right, "ab")).ok());
  EXPECT_THAT(NpyErrorOf(""), HasSubstr("wrong magic number"));
  EXPECT_THAT(NpyErrorOf(File(right, "ab", 2)), HasSubstr("expected format 1.0"));
  EXPECT_THAT(NpyErrorOf("\x93NUMPY\x01\x00\x40"s), HasSubstr("truncated"));
  EXPECT_THAT(NpyErrorOf(File(right, "ab").substr(0, 40)), HasSubstr("truncated"));
  EXPECT_THAT(NpyErrorOf(File(right, "abc")), HasSubstr("3 bytes of data do not match (2,)"));
  EXPECT_THAT(NpyErrorOf(File(right, "a")), HasSubstr("1 bytes of data"));
  for (const char* type : {">u2", "|O", "<f8", "<U3", "|S0", "|S", "|S9999999999", "|S-1", ""}) {
    EXPECT_THAT(NpyErrorOf(File(dict(type, "False", "(2,)"), "ab")), HasSubstr("expected |u1"))
        << type;
  }
  EXPECT_THAT(NpyErrorOf(File(dict("|u1", "True", "(2,)"), "ab")), HasSubstr("expected C order"));
  for (const char* shape : {"(2)", "2", "(-2,)", "(2,,)", "(2", "(,)", "(1,1,1,1,1,1,1,1,2)"}) {
    EXPECT_THAT(NpyErrorOf(File(dict("|u1", "False", shape), "ab")), HasSubstr("is not a tuple"))
        << shape;
  }
  EXPECT_THAT(NpyErrorOf(File("{'descr': '|u1', 'shape': (2,)}", "ab")), HasSubstr("lacks a key"));
  EXPECT_THAT(NpyErrorOf(File(right + "}", "ab")), HasSubstr("continues after"));
  EXPECT_THAT(NpyErrorOf(File("[]", "ab")), HasSubstr("not a dictionary"));
  EXPECT_THAT(NpyErrorOf(File("{'descr': '|u1', 'descr': '|u1'}", "ab")), HasSubstr("once each"));
  EXPECT_THAT(NpyErrorOf(File("{'what': 1}", "ab")), HasSubstr("the key \"what\""));
  // The number of elements, 2⁶⁴, overflows to 0.
  EXPECT_THAT(NpyErrorOf(File(dict("|u1", "False", "(4294967296, 4294967296)"))),
              HasSubstr("0 bytes of data"));
}

}  // namespace
}  // namespace triarch
