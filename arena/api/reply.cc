#include "arena/api/reply.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "arena/api/rate_limits.h"
#include "core/base/text.h"

namespace triarch::arena {

void ReplyJson(const Exchange& exchange, int status, std::string json) {
  exchange->Reply({.status = status, .body = MakeWebText(std::move(json))});
}

void ReplyDetail(const Exchange& exchange, int status, std::string_view text) {
  const nlohmann::ordered_json json = {{"detail", text}};
  ReplyJson(exchange, status,
            json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void ReplyWrongMethod(const Exchange& exchange, std::string_view allowed) {
  const nlohmann::ordered_json json = {{"detail", "use " + std::string(allowed)}};
  exchange->Reply({.status = 405,
                   .body = MakeWebText(json.dump()),
                   .headers = {{"Allow", std::string(allowed)}}});
}

void ReplyOptions(const Exchange& exchange) {
  exchange->Reply(
      {.status = 204,
       .headers = {{"Access-Control-Allow-Methods", "GET, POST"},
                   {"Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"},
                   {"Access-Control-Max-Age", "86400"}}});
}

int StatusCode(const Refusal& refusal) {
  switch (refusal.why) {
    case Refused::kSeatLost:
      return 410;
    case Refused::kNotStarted:
    case Refused::kGameOver:
    case Refused::kNotYourTurn:
    case Refused::kForbidden:
      return 403;
    case Refused::kStale:
    case Refused::kFull:
      return 409;
    default:
      return 422;
  }
}

int StatusCode(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kInvalidArgument:
      return 422;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kAlreadyExists:
      return 409;
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kInternal:
      return 500;
    default:
      return 503;
  }
}

void ReplyError(const Exchange& exchange, const absl::Status& error) {
  ReplyDetail(exchange, StatusCode(error), std::string(error.message()));
}

void ReplyFailure(const Exchange& exchange, const Reply& reply) {
  if (reply.refusal) {
    return ReplyDetail(exchange, StatusCode(*reply.refusal), reply.refusal->text);
  }
  ReplyError(exchange, reply.error);
}

std::string BearerToken(const WebRequest& request) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view header = request.authorization;
  if (header.size() <= kScheme.size()) return "";
  if (absl::AsciiStrToLower(std::string(header.substr(0, kScheme.size()))) != kScheme) return "";
  return std::string(Trim(header.substr(kScheme.size())));
}

std::string ClientOf(const WebRequest& request) {
  return request.is_loopback ? "" : RateKeyOf(request.client);
}

std::string DecodeUrl(std::string_view text, bool is_query) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto is_hex = [&](size_t at) {
      return at < text.size() && absl::ascii_isxdigit(static_cast<unsigned char>(text[at]));
    };
    if (text[i] == '%' && is_hex(i + 1) && is_hex(i + 2)) {
      const std::string digits(text.substr(i + 1, 2));
      decoded += static_cast<char>(std::stoi(digits, nullptr, 16));
      i += 2;
    } else {
      decoded += is_query && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

std::map<std::string, std::string> QueryOf(const WebRequest& request) {
  std::map<std::string, std::string> query;
  for (const std::string_view part : Split(request.query, '&')) {
    const size_t equals = part.find('=');
    if (part.empty()) continue;
    query[DecodeUrl(part.substr(0, equals), true)] =
        equals == std::string_view::npos ? "" : DecodeUrl(part.substr(equals + 1), true);
  }
  return query;
}

absl::StatusOr<int64_t> NumberOf(const std::map<std::string, std::string>& query,
                                 const std::string& key, int64_t max, int64_t other) {
  const auto found = query.find(key);
  if (found == query.end()) return other;
  const std::optional<int64_t> number = ParseInt64(found->second);
  if (!number || *number < 0 || *number > max) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: expected a whole number from 0 to %d", key, max));
  }
  return *number;
}

}  // namespace triarch::arena
