// Computes SHA-256 digests of bytes and files.

#ifndef TRIARCH_CORE_BASE_SHA256_H_
#define TRIARCH_CORE_BASE_SHA256_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

struct evp_md_ctx_st;

namespace triarch {

// An incremental SHA-256.
class Sha256 {
 public:
  Sha256();
  void Add(std::string_view bytes);
  // Adds the text and a terminator, which separates it from the next text.
  void AddText(std::string_view text);
  // Adds the contents of a file. Fails with NotFound if it cannot be read.
  absl::Status AddFile(const std::string& path);
  // Returns the digest as 64 hex digits. Call it once, after all input.
  std::string Hex();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

// Returns the SHA-256 of `bytes` as 64 hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_SHA256_H_
