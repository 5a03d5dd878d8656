// Implements HttpClient with libcurl.

#ifndef TRIARCH_BOTS_LLM_CURL_CLIENT_H_
#define TRIARCH_BOTS_LLM_CURL_CLIENT_H_

#include <memory>

#include "bots/llm/http_client.h"

namespace triarch::llm {

// Returns a client for HTTP and HTTPS that reuses its connection for the next request.
std::unique_ptr<HttpClient> MakeCurlClient();

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_CURL_CLIENT_H_
