#include "selfplay/storage/s3_location.h"

#include <algorithm>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr size_t kBucketMin = 3;
constexpr size_t kBucketMax = 63;
constexpr const char* kKeyVariable = "AWS_ACCESS_KEY_ID";
constexpr const char* kSecretVariable = "AWS_SECRET_ACCESS_KEY";
constexpr const char* kEndpointVariable = "AWS_ENDPOINT_URL";
constexpr const char* kRegionVariable = "AWS_REGION";
constexpr const char* kForm = "expected s3://BUCKET/PREFIX?endpoint=http://HOST:PORT&region=REGION";

bool AreAll(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [others](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

// Does not repeat the input, which could contain a key.
absl::Status Wrong(const std::string& what) {
  return absl::InvalidArgumentError("s3://…: " + what + "; " + kForm);
}

bool IsEndpoint(std::string_view endpoint) {
  std::string_view host = endpoint;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (endpoint.starts_with(scheme)) host = endpoint.substr(scheme.size());
  }
  return host.size() < endpoint.size() && !host.empty() &&
         std::all_of(host.begin(), host.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || AreAll({&c, 1}, ".-_:[]");
         });
}

absl::Status TakeOption(std::string_view option, S3Location* location) {
  const size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
  if (value.empty()) return Wrong("an option without a value");
  if (name == "endpoint") {
    location->endpoint = value;
  } else if (name == "region") {
    location->region = value;
  } else {
    return Wrong("unknown option; expected endpoint or region");
  }
  return absl::OkStatus();
}

// Returns the endpoint as it appears in the Host header: libcurl omits a scheme's default port.
std::string WithoutDefaultPort(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const std::string_view own = endpoint.starts_with("https://") ? ":443" : ":80";
  if (endpoint.ends_with(own)) endpoint.resize(endpoint.size() - own.size());
  return endpoint;
}

}  // namespace

absl::StatusOr<S3Location> ParseS3Location(std::string_view url,
                                           const EnvironmentReader& environment) {
  if (!url.starts_with(kScheme)) return Wrong("expected the scheme s3");
  url.remove_prefix(kScheme.size());
  const std::string own_endpoint = environment(kEndpointVariable);
  const std::string own_region = environment(kRegionVariable);
  S3Location location{.endpoint = own_endpoint, .region = own_region};
  if (const size_t question = url.find('?'); question != std::string_view::npos) {
    for (const std::string_view option : Split(url.substr(question + 1), '&')) {
      RETURN_IF_ERROR(TakeOption(option, &location));
    }
    url = url.substr(0, question);
  }
  const size_t slash = url.find('/');
  location.bucket = url.substr(0, slash);
  if (slash != std::string_view::npos) location.prefix = url.substr(slash + 1);
  while (location.prefix.ends_with('/')) location.prefix.pop_back();
  if (location.bucket.find('@') != std::string::npos) {
    return Wrong("keys belong in the environment");
  }
  if (location.bucket.size() < kBucketMin || location.bucket.size() > kBucketMax ||
      !AreAll(location.bucket, ".-")) {
    return Wrong("a bucket name has 3 to 63 lower-case letters, digits, dots and dashes");
  }
  if (!location.prefix.empty() && !CheckBlobName(location.prefix).ok()) {
    return Wrong("a prefix consists of letters, digits and ._-=+ between slashes");
  }
  if (location.region.empty()) location.region = "us-east-1";
  const auto named = [](bool is_own, const char* variable, const char* word) {
    return is_own ? std::string(variable) + " in the environment" : std::string(word);
  };
  if (!AreAll(location.region, "-")) {
    return Wrong(named(location.region == own_region, kRegionVariable, "the region") +
                 " must consist of lower-case letters, digits and dashes");
  }
  if (location.endpoint.empty()) return location;
  const std::string endpoint = WithoutDefaultPort(location.endpoint);
  if (!IsEndpoint(endpoint)) {
    return Wrong(named(location.endpoint == own_endpoint, kEndpointVariable, "the endpoint") +
                 " must be http://HOST:PORT or https://HOST:PORT");
  }
  location.endpoint = endpoint;
  return location;
}

absl::StatusOr<AwsCredentials> ReadAwsCredentials(const EnvironmentReader& environment,
                                                  const std::string& where) {
  AwsCredentials credentials = {environment(kKeyVariable), environment(kSecretVariable),
                                environment("AWS_SESSION_TOKEN")};
  const std::string all = credentials.key_id + credentials.secret + credentials.session_token;
  const bool is_plain =
      std::all_of(all.begin(), all.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!credentials.key_id.empty() && !credentials.secret.empty() && is_plain) return credentials;
  return absl::PermissionDeniedError(std::string("S3 needs ") + kKeyVariable + " and " +
                                     kSecretVariable + " in " + where +
                                     (is_plain ? "" : ", in visible ASCII"));
}

}  // namespace triarch
