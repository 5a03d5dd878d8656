// Parses addresses of clients and ranges of them.

#ifndef TRIARCH_ARENA_API_IP_RANGE_H_
#define TRIARCH_ARENA_API_IP_RANGE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace triarch::arena {

// An IPv6 address, or an IPv4 address in the form ::ffff:192.0.2.1.
using IpAddress = std::array<uint8_t, 16>;

// Returns nothing if the text is no address in numbers.
std::optional<IpAddress> ParseIp(std::string_view text);

// The addresses whose first bits are the same.
class IpRange {
 public:
  // Reads "192.0.2.0/24", "2001:db8::/32" or one address. InvalidArgument: it is malformed, or has
  // bits after the prefix.
  static absl::StatusOr<IpRange> Parse(std::string_view text);

  bool Contains(const IpAddress& address) const;
  std::string ToString() const;

 private:
  IpRange(const IpAddress& first, int bits) : first_(first), bits_(bits) {}

  IpAddress first_;
  int bits_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_IP_RANGE_H_
