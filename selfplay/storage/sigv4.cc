#include "selfplay/storage/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "absl/strings/escaping.h"
#include "core/base/check.h"
#include "core/base/sha256.h"

namespace triarch {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kScopeEnd = "aws4_request";

std::string Encoded(std::string_view text, bool keeps_slashes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (is_plain || (c == '/' && keeps_slashes)) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return encoded;
}

std::string QueryText(const S3Request& request) {
  std::string text;
  for (const auto& [name, value] : request.query) {
    text += (text.empty() ? "" : "&") + Encoded(name, false) + "=" + Encoded(value, false);
  }
  return text;
}

std::string Hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(),
             &size) != nullptr);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string Stamp(absl::Time now) {
  return absl::FormatTime("%Y%m%dT%H%M%SZ", now, absl::UTCTimeZone());
}

}  // namespace

std::string UrlTail(const S3Request& request) {
  const std::string query = QueryText(request);
  return Encoded(request.path, true) + (query.empty() ? "" : "?" + query);
}

std::vector<std::string> SignedHeaders(const S3Request& request, const AwsCredentials& credentials,
                                       std::string_view region, absl::Time now) {
  const std::string stamp = Stamp(now);
  std::map<std::string, std::string> headers = request.headers;
  headers["host"] = request.host;
  headers["x-amz-content-sha256"] = request.payload_sha256;
  headers["x-amz-date"] = stamp;
  if (!credentials.session_token.empty()) {
    headers["x-amz-security-token"] = credentials.session_token;
  }
  std::vector<std::string> lines;
  std::string header_text;
  std::string names;
  for (const auto& [name, value] : headers) {
    header_text += name + ":" + value + "\n";
    names += (names.empty() ? "" : ";") + name;
    if (name != "host") lines.push_back(name + ": " + value);
  }
  const std::string canonical = request.method + "\n" + Encoded(request.path, true) + "\n" +
                                QueryText(request) + "\n" + header_text + "\n" + names + "\n" +
                                request.payload_sha256;
  const std::string day = stamp.substr(0, 8);
  const std::string scope = day + "/" + std::string(region) + "/s3/" + std::string(kScopeEnd);
  const std::string to_sign =
      std::string(kAlgorithm) + "\n" + stamp + "\n" + scope + "\n" + Sha256Hex(canonical);
  std::string key = Hmac("AWS4" + credentials.secret, day);
  for (const std::string_view part : {region, std::string_view("s3"), kScopeEnd}) {
    key = Hmac(key, part);
  }
  lines.push_back("authorization: " + std::string(kAlgorithm) +
                  " Credential=" + credentials.key_id + "/" + scope + ",SignedHeaders=" + names +
                  ",Signature=" + absl::BytesToHexString(Hmac(key, to_sign)));
  return lines;
}

}  // namespace triarch
