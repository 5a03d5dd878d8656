// Limits how much each client may ask for.

#ifndef TRIARCH_ARENA_API_RATE_LIMITS_H_
#define TRIARCH_ARENA_API_RATE_LIMITS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace triarch::arena {

// Gives each key an allowance that grows steadily up to ten seconds' worth. It remembers a bounded
// number of keys; beyond it, new keys share one allowance. Times must not go back.
class RateLimits {
 public:
  explicit RateLimits(double per_second, size_t keys_max = 50'000)
      : per_ms_(per_second / 1'000), full_(per_second * 10), keys_max_(keys_max) {}

  // Takes the cost from the key's allowance and returns 0. If it has less, takes nothing and
  // returns after how many seconds it will have enough. A cost above the largest allowance counts
  // as that.
  int64_t Take(const std::string& key, double cost, int64_t now_ms);
  // Takes the cost even if the key has less, up to a debt of the largest allowance.
  void Charge(const std::string& key, double cost, int64_t now_ms);

  size_t key_count() const { return buckets_.size(); }

 private:
  struct Bucket {
    double left = 0;
    int64_t at_ms = 0;
  };

  Bucket& Find(const std::string& key, int64_t now_ms);
  double LeftAt(const Bucket& bucket, int64_t now_ms) const;
  void ForgetFull(int64_t now_ms);

  const double per_ms_;
  const double full_;
  const size_t keys_max_;
  std::unordered_map<std::string, Bucket> buckets_;
  Bucket others_;
  int64_t next_forget_ms_ = 0;
};

// The key of a client's address: for IPv6, of the network that one customer usually has.
std::string RateKeyOf(std::string_view client);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_RATE_LIMITS_H_
