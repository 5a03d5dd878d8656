#include "arena/api/rate_limits.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "arena/api/ip_range.h"

namespace triarch::arena {
namespace {

// Looking through all keys takes a moment, so it is not done for each new one.
constexpr int64_t kForgetMs = 1'000;

}  // namespace

double RateLimits::LeftAt(const Bucket& bucket, int64_t now_ms) const {
  return std::min(full_, bucket.left + per_ms_ * static_cast<double>(now_ms - bucket.at_ms));
}

void RateLimits::ForgetFull(int64_t now_ms) {
  if (now_ms < next_forget_ms_) return;
  next_forget_ms_ = now_ms + kForgetMs;
  std::erase_if(buckets_, [&](const auto& entry) { return LeftAt(entry.second, now_ms) >= full_; });
}

RateLimits::Bucket& RateLimits::Find(const std::string& key, int64_t now_ms) {
  auto found = buckets_.find(key);
  if (found == buckets_.end()) {
    if (buckets_.size() >= keys_max_) ForgetFull(now_ms);
    if (buckets_.size() >= keys_max_) {
      others_ = {LeftAt(others_, now_ms), now_ms};
      return others_;
    }
    found = buckets_.emplace(key, Bucket{full_, now_ms}).first;
  }
  found->second = {LeftAt(found->second, now_ms), now_ms};
  return found->second;
}

int64_t RateLimits::Take(const std::string& key, double cost, int64_t now_ms) {
  Bucket& bucket = Find(key, now_ms);
  cost = std::min(cost, full_);
  if (bucket.left < cost) {
    return std::max<int64_t>(
        1, static_cast<int64_t>(std::ceil((cost - bucket.left) / per_ms_ / 1'000)));
  }
  bucket.left -= cost;
  return 0;
}

void RateLimits::Charge(const std::string& key, double cost, int64_t now_ms) {
  Bucket& bucket = Find(key, now_ms);
  bucket.left = std::max(-full_, bucket.left - cost);
}

std::string RateKeyOf(std::string_view client) {
  const std::optional<IpAddress> address = ParseIp(client);
  if (!address) return std::string(client);
  constexpr size_t kNetworkBytes = 8;
  const bool is_v6 = std::any_of(address->begin(), address->begin() + kNetworkBytes,
                                 [](uint8_t byte) { return byte != 0; });
  return std::string(address->begin(), is_v6 ? address->begin() + kNetworkBytes : address->end());
}

}  // namespace triarch::arena
