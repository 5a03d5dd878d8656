#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/escaping.h"
#include "core/base/check.h"

namespace triarch {
namespace {

absl::Status Unreadable(const std::string& path) {
  return absl::NotFoundError(path + ": " + std::strerror(errno));
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::Add(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

void Sha256::AddText(std::string_view text) {
  Add(text);
  Add(std::string_view("\0", 1));
}

absl::Status Sha256::AddFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) return Unreadable(path);
  std::array<char, 1 << 16> bytes;
  size_t count = 0;
  while ((count = std::fread(bytes.data(), 1, bytes.size(), file.get())) > 0) {
    Add({bytes.data(), count});
  }
  return std::ferror(file.get()) ? Unreadable(path) : absl::OkStatus();
}

std::string Sha256::Hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), size});
}

std::string Sha256Hex(std::string_view bytes) {
  Sha256 sha;
  sha.Add(bytes);
  return sha.Hex();
}

}  // namespace triarch
