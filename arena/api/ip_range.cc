#include "arena/api/ip_range.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr IpAddress kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
constexpr int kMappedBits = 96;

bool IsMapped(const IpAddress& address) {
  return std::equal(kMapped.begin(), kMapped.begin() + kMappedBits / 8, address.begin());
}

IpAddress FirstBits(IpAddress address, int bits) {
  for (int i = 0; i < 16; ++i) {
    const int left = std::clamp(bits - 8 * i, 0, 8);
    address[static_cast<size_t>(i)] &= static_cast<uint8_t>(0xff << (8 - left));
  }
  return address;
}

}  // namespace

std::optional<IpAddress> ParseIp(std::string_view text) {
  const std::string word(text);
  IpAddress address = kMapped;
  if (::inet_pton(AF_INET, word.c_str(), address.data() + kMappedBits / 8) == 1) return address;
  if (::inet_pton(AF_INET6, word.c_str(), address.data()) == 1) return address;
  return std::nullopt;
}

absl::StatusOr<IpRange> IpRange::Parse(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<IpAddress> address = ParseIp(text.substr(0, slash));
  const absl::Status malformed = absl::InvalidArgumentError(
      "address: expected an address such as 192.0.2.7, or a range such as 192.0.2.0/24 or "
      "2001:db8::/32");
  if (!address) return malformed;
  int bits = 128;
  if (slash != std::string_view::npos) {
    const int before = IsMapped(*address) ? kMappedBits : 0;
    const std::optional<int64_t> length = ParseInt64(text.substr(slash + 1));
    if (!length || *length < 0 || *length > 128 - before) return malformed;
    bits = before + static_cast<int>(*length);
  }
  const IpRange range(FirstBits(*address, bits), bits);
  if (range.first_ != *address) {
    return absl::InvalidArgumentError("address: the range begins at " + range.ToString());
  }
  return range;
}

bool IpRange::Contains(const IpAddress& address) const {
  return FirstBits(address, bits_) == first_;
}

std::string IpRange::ToString() const {
  const bool is_v4 = IsMapped(first_) && bits_ >= kMappedBits;
  const int before = is_v4 ? kMappedBits : 0;
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(is_v4 ? AF_INET : AF_INET6, first_.data() + before / 8, text.data(), text.size());
  if (bits_ == 128) return text.data();
  return std::string(text.data()) + "/" + std::to_string(bits_ - before);
}

}  // namespace triarch::arena
