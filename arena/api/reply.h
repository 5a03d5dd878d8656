// Answers requests in JSON, and reads what APIs share of them.

#ifndef TRIARCH_ARENA_API_REPLY_H_
#define TRIARCH_ARENA_API_REPLY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/session/session.h"
#include "http/web_server.h"

namespace triarch::arena {

using Exchange = std::shared_ptr<WebExchange>;

void ReplyJson(const Exchange& exchange, int status, std::string json);
// Replies {"detail": text}.
void ReplyDetail(const Exchange& exchange, int status, std::string_view text);
// Replies 405 and the methods that the path has: "GET", "GET, POST".
void ReplyWrongMethod(const Exchange& exchange, std::string_view allowed);
// Lets a browser send requests from pages of other servers: secrets are in a header that only
// scripts set, so no page can act for a player who does not want it.
void ReplyOptions(const Exchange& exchange);

// Returns the status code of a refusal, or of an error of the session or its store.
int StatusCode(const Refusal& refusal);
int StatusCode(const absl::Status& error);
// Replies the code and the message of an error.
void ReplyError(const Exchange& exchange, const absl::Status& error);
// Replies a refusal or an error as {"detail": text}. Requires: !reply.ok().
void ReplyFailure(const Exchange& exchange, const Reply& reply);

// Returns the token from the header "Authorization: Bearer TOKEN", or "" if there is none.
std::string BearerToken(const WebRequest& request);

// Returns whose share of what the arena has a request takes: a client's address, or its network, as
// RateKeyOf says. Empty for clients on this machine, which have no limits.
std::string ClientOf(const WebRequest& request);

// Decodes "%41", and in a query also "+". A percent sign without two digits stays.
std::string DecodeUrl(std::string_view text, bool is_query = false);
// Returns the parameters of a query, decoded.
std::map<std::string, std::string> QueryOf(const WebRequest& request);
// Reads a parameter of a query that is a number from 0 to `max`; `other` if it is missing.
absl::StatusOr<int64_t> NumberOf(const std::map<std::string, std::string>& query,
                                 const std::string& key, int64_t max, int64_t other);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_REPLY_H_
