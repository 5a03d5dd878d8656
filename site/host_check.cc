#include "site/host_check.h"

#include "absl/strings/ascii.h"
#include "core/base/text.h"

namespace triarch::site {
namespace {

// Returns the host of "host:port", "[::1]:port" or "host", in small letters.
std::string HostOf(std::string_view address) {
  const size_t colon = address.rfind(':');
  const bool has_port = colon != address.npos && address.find(']', colon) == address.npos;
  return absl::AsciiStrToLower(std::string(has_port ? address.substr(0, colon) : address));
}

}  // namespace

HostCheck::HostCheck(std::string_view address, std::string_view asked) {
  const std::string host = HostOf(address);
  if (!host.starts_with("127.") && host != "[::1]") return;
  allowed_ = {"localhost", "127.0.0.1", "[::1]", host, HostOf(asked)};
}

std::string HostCheck::Refuse(std::string_view host) const {
  // Every browser sends it.
  if (allowed_.empty() || host.empty() || allowed_.contains(HostOf(host))) return "";
  std::string names;
  for (const std::string& name : allowed_) names += (names.empty() ? "" : ", ") + name;
  return "the header Host is " + Quote(host) + ", but this server listens on this machine only; " +
         "expected one of " + names +
         ". A reverse proxy must set the header Host to one of them (docs/web.md)";
}

}  // namespace triarch::site
