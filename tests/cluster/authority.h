// Creates a temporary certificate authority and the certificates of a cluster.

#ifndef TRIARCH_TESTS_CLUSTER_AUTHORITY_H_
#define TRIARCH_TESTS_CLUSTER_AUTHORITY_H_

#include <string>

#include "core/base/temporary_folder.h"
#include "tests/cluster/cluster.h"

namespace triarch {

// Signs certificates for "server" (localhost) and "client". The files disappear with this object.
class Authority {
 public:
  explicit Authority(const std::string& name);

  std::string ca() const { return folder_ / "ca.pem"; }
  std::string Cert(const std::string& who) const { return folder_ / (who + ".pem"); }
  std::string Key(const std::string& who) const { return folder_ / (who + ".key"); }
  // Returns a file with the certificate and the key.
  std::string CertAndKey(const std::string& who) const;

  Arguments ServeFlags(bool wants_certificates) const;
  Arguments ClientFlags(bool shows_certificate) const;

 private:
  const TemporaryFolder folder_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_AUTHORITY_H_
