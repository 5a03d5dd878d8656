#include "site/site_server.h"

#include <utility>

#include "core/base/status_macros.h"

namespace triarch::site {

SiteServer::SiteServer(StoreReader::Opener open)
    : page_(PageFiles()), reader_(std::make_unique<StoreReader>(std::move(open))) {
  api_ = std::make_unique<SiteApi>(
      *reader_, [this](std::function<void()> errand) { web_->Post(std::move(errand)); });
}

absl::StatusOr<std::unique_ptr<SiteServer>> SiteServer::Make(int listening_socket,
                                                             StoreReader::Opener open) {
  std::unique_ptr<SiteServer> server(new SiteServer(std::move(open)));
  WebLimits limits;
  limits.headers = SecurityHeaders();  // and no page of another server reads the answers
  const auto handle = [site = server.get()](const std::shared_ptr<WebExchange>& exchange) {
    if (!site->api_->Handle(exchange)) site->page_.Reply(exchange);
  };
  ASSIGN_OR_RETURN(server->web_, WebServer::Make(listening_socket, std::move(limits), handle));
  return server;
}

}  // namespace triarch::site
