// Tests bans, and the ranges of addresses and patterns of names in them.

#include "arena/api/bans.h"

#include <gtest/gtest.h>

#include <string>

namespace triarch::arena {
namespace {

using Kind = Ban::Kind;

bool InRange(std::string_view range, std::string_view address) {
  const absl::StatusOr<IpRange> parsed = IpRange::Parse(range);
  EXPECT_TRUE(parsed.ok()) << range << ": " << parsed.status();
  return parsed.ok() && parsed->Contains(*ParseIp(address));
}

TEST(IpRangeTest, Contains) {
  EXPECT_TRUE(InRange("192.0.2.7", "192.0.2.7"));
  EXPECT_FALSE(InRange("192.0.2.7", "192.0.2.6"));
  EXPECT_TRUE(InRange("192.0.2.7", "::ffff:192.0.2.7"));
  EXPECT_TRUE(InRange("10.128.0.0/9", "10.255.1.2"));
  EXPECT_FALSE(InRange("10.128.0.0/9", "10.127.1.2"));
  EXPECT_TRUE(InRange("0.0.0.0/0", "203.0.113.9"));
  EXPECT_FALSE(InRange("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(InRange("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(InRange("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(InRange("::/0", "203.0.113.9"));
}

TEST(IpRangeTest, HasOneForm) {
  for (const auto& [text, form] :
       {std::pair("192.0.2.7", "192.0.2.7"), std::pair("192.0.2.7/32", "192.0.2.7"),
        std::pair("::ffff:192.0.2.0/24", "192.0.2.0/24"),
        std::pair("2001:DB8:0::/32", "2001:db8::/32")}) {
    const absl::StatusOr<IpRange> range = IpRange::Parse(text);
    ASSERT_TRUE(range.ok()) << text;
    EXPECT_EQ(range->ToString(), form);
  }
}

TEST(IpRangeTest, RefusesOtherTexts) {
  for (const char* text : {"", "192.0.2", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/-1", "name",
                           "2001:db8::/129", "192.0.2.1/24", "/8", "192.0.2.0/24/24"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(IpRange::Parse(text).status())) << text;
  }
}

TEST(PatternTest, StarsMatchAnything) {
  EXPECT_TRUE(MatchesPattern("ann", "Ann"));
  EXPECT_FALSE(MatchesPattern("ann", "Anna"));
  EXPECT_TRUE(MatchesPattern("ann*", "Anna"));
  EXPECT_TRUE(MatchesPattern("*ann", "joann"));
  EXPECT_TRUE(MatchesPattern("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(MatchesPattern("*a*b*", "xxbxxaxx"));
  EXPECT_TRUE(MatchesPattern("a*b", "ab"));
  EXPECT_TRUE(MatchesPattern("a*ab", "aaab"));
  EXPECT_FALSE(MatchesPattern("a*b", "abc"));
  EXPECT_FALSE(MatchesPattern("", "a"));
  EXPECT_TRUE(MatchesPattern("**", ""));
  EXPECT_TRUE(MatchesPattern("Ö*", "Öde"));
}

TEST(BansTest, ChecksWhatIsBanned) {
  EXPECT_EQ(*Bans::CheckWhat(Kind::kName, " Spam* "), "spam*");
  EXPECT_EQ(*Bans::CheckWhat(Kind::kAddress, "10.0.0.0/8"), "10.0.0.0/8");
  for (const char* everyone : {"", "*", "**", "  "}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Bans::CheckWhat(Kind::kMute, everyone).status()));
  }
  EXPECT_FALSE(Bans::CheckWhat(Kind::kName, std::string(400, 'a')).ok());
  EXPECT_FALSE(Bans::CheckWhat(Kind::kAddress, "spam").ok());
}

TEST(BansTest, EachKindConcernsItsOwn) {
  Bans bans;
  bans.Set({{.kind = Kind::kName, .what = "spam*"},
            {.kind = Kind::kAddress, .what = "10.0.0.0/8"},
            {.kind = Kind::kAddress, .what = "malformed"},
            {.kind = Kind::kMute, .what = "loud"}});
  EXPECT_TRUE(absl::IsPermissionDenied(bans.CheckName("Spammer")));
  EXPECT_TRUE(bans.CheckName("Loud").ok());
  EXPECT_TRUE(bans.IsMuted("Loud"));
  EXPECT_FALSE(bans.IsMuted("Spammer"));
  EXPECT_TRUE(absl::IsPermissionDenied(bans.CheckClient("10.1.2.3")));
  EXPECT_TRUE(bans.CheckClient("11.1.2.3").ok());
  EXPECT_TRUE(bans.CheckClient("malformed").ok());
  bans.Set({});
  EXPECT_TRUE(bans.CheckName("Spammer").ok());
  EXPECT_TRUE(bans.CheckClient("10.1.2.3").ok());
}

}  // namespace
}  // namespace triarch::arena
