#include "site/web_page.h"

#include <array>
#include <utility>

#include "core/base/text.h"

namespace triarch::site {
namespace {

constexpr std::string_view kIndex = "/index.html";
constexpr std::string_view kHtml = "text/html; charset=utf-8";

constexpr std::string_view kNoPage = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Triarch</title>
<h1>Triarch</h1>
<p>This program was built without its web page. To get it, run <code>./run.sh --web</code> in
Triarch's folder.</p>
<p>The API works: see <a href="/openapi.json">openapi.json</a>.</p>
</html>
)html";

// The content types by the end of a file's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTypes = {{
    {".html", kHtml},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".json", "application/json"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
}};

std::string_view TypeOf(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

// Returns whether a client takes gzip. One that refuses it names it with ";q=0".
bool TakesGzip(std::string_view accept_encoding) {
  for (const std::string_view part : Split(accept_encoding, ',')) {
    const std::vector<std::string_view> words = Split(part, ';');
    if (Trim(words[0]) != "gzip") continue;
    const std::string_view quality = words.size() > 1 ? Trim(words[1]) : "";
    return !quality.starts_with("q=0") || quality.find_first_of("123456789") != quality.npos;
  }
  return false;
}

}  // namespace

WebHeaders SecurityHeaders() {
  return {{"Content-Security-Policy", std::string(kPagePolicy) + "; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"}};
}

WebPage::WebPage(std::span<const PageFile> files) {
  for (const PageFile& file : files) {
    files_.emplace(file.path, File{.type = std::string(TypeOf(file.path)),
                                   // The name of such a file has a hash of what it contains.
                                   .is_lasting = file.path.starts_with("/assets/"),
                                   .content = MakeWebText(std::string(file.content)),
                                   .gzip = MakeWebText(std::string(file.gzip))});
  }
}

void WebPage::Reply(const arena::Exchange& exchange) const {
  const WebRequest& request = exchange->request();
  if (request.method != "GET" && request.method != "HEAD") {
    return arena::ReplyWrongMethod(exchange, "GET");
  }
  const bool is_root = request.path == "/";
  if (files_.empty()) {
    return exchange->Reply({.status = is_root ? 200 : 404,
                            .content_type = std::string(kHtml),
                            .body = MakeWebText(std::string(kNoPage))});
  }
  const auto found = files_.find(is_root ? kIndex : std::string_view(request.path));
  if (found == files_.end()) return arena::ReplyDetail(exchange, 404, "there is no such page");
  const File& file = found->second;
  WebResponse response{
      .content_type = file.type,
      .body = file.content,
      .headers = {{"Vary", "Accept-Encoding"}},
      .cache_control = file.is_lasting ? "public, max-age=31536000, immutable" : "no-cache"};
  if (TakesGzip(request.accept_encoding)) {
    response.body = file.gzip;
    response.headers.emplace_back("Content-Encoding", "gzip");
  }
  exchange->Reply(std::move(response));
}

}  // namespace triarch::site
