#include "tests/cluster/authority.h"

#include <gtest/gtest.h>

namespace triarch {
namespace {

void OpenSsl(const Arguments& arguments) {
  const Ran ran = RunProgram(TRIARCH_OPENSSL, arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

}  // namespace

Authority::Authority(const std::string& name) {
  const Arguments new_key = {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"};
  OpenSsl(Arguments{"req", "-x509", "-days", "2", "-subj", "/CN=" + name, "-keyout",
                    folder_ / "ca.key", "-out", ca()} +
          new_key);
  WriteWholeFile(folder_ / "ext", "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  for (const std::string who : {"server", "client"}) {
    OpenSsl(Arguments{"req", "-subj", "/CN=" + who, "-keyout", Key(who), "-out", folder_ / "csr"} +
            new_key);
    OpenSsl({"x509", "-req", "-in", folder_ / "csr", "-CA", ca(), "-CAkey", folder_ / "ca.key",
             "-CAcreateserial", "-days", "2", "-extfile", folder_ / "ext", "-out", Cert(who)});
    WriteWholeFile(CertAndKey(who), ReadWholeFile(Cert(who)) + ReadWholeFile(Key(who)));
  }
}

std::string Authority::CertAndKey(const std::string& who) const {
  return folder_ / (who + "-both.pem");
}

Arguments Authority::ServeFlags(bool wants_certificates) const {
  Arguments flags = {"--tls-cert", Cert("server"), "--tls-key", Key("server")};
  if (wants_certificates) flags = flags + Arguments{"--tls-ca", ca()};
  return flags;
}

Arguments Authority::ClientFlags(bool shows_certificate) const {
  Arguments flags = {"--tls-ca", ca()};
  if (shows_certificate) {
    flags = flags + Arguments{"--tls-cert", Cert("client"), "--tls-key", Key("client")};
  }
  return flags;
}

}  // namespace triarch
