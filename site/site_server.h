// Serves the web page and its API from a store.

#ifndef TRIARCH_SITE_SITE_SERVER_H_
#define TRIARCH_SITE_SITE_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "http/web_server.h"
#include "site/host_check.h"
#include "site/site_api.h"
#include "site/store_reader.h"
#include "site/web_page.h"

namespace triarch::site {

class SiteServer {
 public:
  // Takes over the listening socket; `asked` is its address as the user wrote it. `open` opens the
  // store for reading. `live` has the games in progress, if the server knows any; it is called in
  // the thread of Run.
  static absl::StatusOr<std::unique_ptr<SiteServer>> Make(int listening_socket,
                                                          const std::string& asked,
                                                          StoreReader::Opener open,
                                                          LiveSource live = nullptr);
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  // Serves until Stop.
  void Run() { web_->Run(); }
  // Ends Run. From any thread.
  void Stop() { web_->Stop(); }

 private:
  SiteServer(HostCheck hosts, const StoreReader::Opener& open, LiveSource live);
  void Handle(const std::shared_ptr<WebExchange>& exchange);

  const HostCheck hosts_;
  // Each uses those above it: the reader posts to the web server, and its tasks hold requests and
  // call the API.
  std::unique_ptr<WebServer> web_;
  const WebPage page_;
  std::unique_ptr<SiteApi> api_;
  std::unique_ptr<StoreReader> slow_;
  std::unique_ptr<StoreReader> reader_;
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_SERVER_H_
