#ifndef TRIARCH_CORE_BASE_SHA256_H_
#define TRIARCH_CORE_BASE_SHA256_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

struct evp_md_ctx_st;

namespace triarch {

// SHA-256 of what is added.
class Sha256 {
 public:
  Sha256();
  void Add(std::string_view bytes);
  // With its end, so that what follows is not taken for a part of it.
  void AddText(std::string_view text);
  // The contents of a file. NotFound: it cannot be read.
  absl::Status AddFile(const std::string& path);
  // The digest, 64 digits. Nothing may be added any more.
  std::string Hex();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

// Whether the text is such a digest.
bool IsDigest(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_SHA256_H_
