#include "site/site_server.h"

#include <utility>

#include "arena/api/reply.h"
#include "core/base/status_macros.h"

namespace triarch::site {

SiteServer::SiteServer(HostCheck hosts, const StoreReader::Opener& open, LiveSource live)
    : hosts_(std::move(hosts)),
      page_(PageFiles()),
      slow_(std::make_unique<StoreReader>(open)),
      reader_(std::make_unique<StoreReader>(open)) {
  api_ = std::make_unique<SiteApi>(
      *reader_, *slow_, [this](std::function<void()> errand) { web_->Post(std::move(errand)); },
      std::move(live));
}

absl::StatusOr<std::unique_ptr<SiteServer>> SiteServer::Make(int listening_socket,
                                                             const std::string& asked,
                                                             StoreReader::Opener open,
                                                             LiveSource live) {
  std::unique_ptr<SiteServer> server(
      new SiteServer(HostCheck(AddressOf(listening_socket), asked), open, std::move(live)));
  WebLimits limits;
  limits.headers = SecurityHeaders();  // and no page of another server reads the answers
  const auto handle = [site = server.get()](const std::shared_ptr<WebExchange>& exchange) {
    site->Handle(exchange);
  };
  ASSIGN_OR_RETURN(server->web_, WebServer::Make(listening_socket, std::move(limits), handle));
  return server;
}

void SiteServer::Handle(const std::shared_ptr<WebExchange>& exchange) {
  constexpr int kMisdirected = 421;
  const std::string refusal = hosts_.Refuse(exchange->request().host);
  if (!refusal.empty()) return arena::ReplyDetail(exchange, kMisdirected, refusal);
  if (!api_->Handle(exchange)) page_.Reply(exchange);
}

}  // namespace triarch::site
