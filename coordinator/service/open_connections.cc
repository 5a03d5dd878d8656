#include "coordinator/service/open_connections.h"

#include <netinet/in.h>
#include <sys/stat.h>

#include <cstring>

namespace triarch {
namespace {

constexpr size_t kNetworkBytes = 8;

// Returns 0 for a closed descriptor.
ino_t InodeOf(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

std::string BytesOf(const void* bytes, size_t size) {
  return {static_cast<const char*>(bytes), size};
}

// Returns the bytes of the peer's address or network, or "" for loopback.
std::string AddressOf(const sockaddr_storage& peer) {
  in_addr v4{};
  if (peer.ss_family == AF_INET) {
    v4 = reinterpret_cast<const sockaddr_in&>(peer).sin_addr;
  } else {
    const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr;
    if (IN6_IS_ADDR_LOOPBACK(&v6)) return "";
    if (!IN6_IS_ADDR_V4MAPPED(&v6)) return BytesOf(&v6, kNetworkBytes);
    std::memcpy(&v4, v6.s6_addr + 12, sizeof v4);
  }
  const bool is_loopback = ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
  return is_loopback ? "" : BytesOf(&v4, sizeof v4);
}

}  // namespace

bool OpenConnections::IsFull(const std::string& address) const {
  if (connections_.size() >= limits_.all) return true;
  const auto same = by_address_.find(address);
  return !address.empty() && same != by_address_.end() && same->second >= limits_.per_address;
}

void OpenConnections::RemoveClosed() {
  std::vector<Connection> open;
  by_address_.clear();
  for (Connection& connection : connections_) {
    if (InodeOf(connection.socket) != connection.inode) continue;
    ++by_address_[connection.address];
    open.push_back(std::move(connection));
  }
  connections_ = std::move(open);
}

bool OpenConnections::Add(int socket, const sockaddr_storage& peer) {
  std::string address = AddressOf(peer);
  if (IsFull(address)) RemoveClosed();
  if (IsFull(address)) return false;
  ++by_address_[address];
  connections_.push_back({socket, InodeOf(socket), std::move(address)});
  return true;
}

}  // namespace triarch
