// Serves the files of the web page.

#ifndef TRIARCH_SITE_WEB_PAGE_H_
#define TRIARCH_SITE_WEB_PAGE_H_

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "arena/api/reply.h"
#include "http/web_server.h"
#include "site/page_files.h"

namespace triarch::site {

// The content security policy, as far as the page itself can state it: the page runs only its own
// scripts, and shows nothing of other hosts.
inline constexpr std::string_view kPagePolicy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'";

// What every response has. No other page shows this one in a frame.
WebHeaders SecurityHeaders();

class WebPage {
 public:
  // Without files, every path shows how to get the page.
  explicit WebPage(std::span<const PageFile> files);

  // Answers a request that is none for the API.
  void Reply(const arena::Exchange& exchange) const;

 private:
  struct File {
    std::string type;  // text/html; charset=utf-8
    bool is_lasting = false;
    WebText content;
    WebText gzip;
  };

  std::map<std::string, File, std::less<>> files_;  // by path
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_WEB_PAGE_H_
