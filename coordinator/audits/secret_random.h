// Draws random numbers that only those who know a secret can predict.

#ifndef TRIARCH_COORDINATOR_AUDITS_SECRET_RANDOM_H_
#define TRIARCH_COORDINATOR_AUDITS_SECRET_RANDOM_H_

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/random.h"
#include "core/base/sha256.h"

namespace triarch {

// A generator's later numbers follow from some of its earlier ones, so each decision gets a new
// generator. The same secret gives the same sequence of generators.
class SecretRandom {
 public:
  explicit SecretRandom(std::string secret) : secret_(std::move(secret)) {}

  Random Next() {
    Sha256 sha;
    sha.AddText(std::to_string(count_++));
    sha.Add(secret_);
    return Random(std::stoull(sha.Hex().substr(0, 16), nullptr, 16));
  }

 private:
  const std::string secret_;
  uint64_t count_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_SECRET_RANDOM_H_
