// Refuses requests that a page of another server sends to a server on loopback.

#ifndef TRIARCH_SITE_HOST_CHECK_H_
#define TRIARCH_SITE_HOST_CHECK_H_

#include <set>
#include <string>
#include <string_view>

namespace triarch::site {

// Such a page can let its own name point to 127.0.0.1 (DNS rebinding) and then read what a server
// there answers. But the header Host still has that name.
class HostCheck {
 public:
  // `address` is where the server listens ("127.0.0.1:8081", "[::1]:8081"), and `asked` the address
  // as the user wrote it ("localhost:8081"). Elsewhere than on loopback, every host is allowed.
  HostCheck(std::string_view address, std::string_view asked);

  // Returns what is wrong with a request with that header; empty if nothing is.
  std::string Refuse(std::string_view host) const;

 private:
  std::set<std::string, std::less<>> allowed_;  // empty: all
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_HOST_CHECK_H_
