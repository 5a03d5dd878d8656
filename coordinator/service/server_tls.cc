#include "coordinator/service/server_tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <ctime>
#include <memory>

namespace triarch {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Bio Open(const std::string& pem) {
  return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
}

// Returns the first certificate, or null.
Certificate ReadCertificate(const std::string& pem) {
  return {PEM_read_bio_X509(Open(pem).get(), nullptr, nullptr, nullptr), &X509_free};
}

Key ReadKey(const std::string& pem) {
  char no_password[] = "";  // without one, OpenSSL would ask on the terminal
  return {PEM_read_bio_PrivateKey(Open(pem).get(), nullptr, nullptr, no_password), &EVP_PKEY_free};
}

}  // namespace

absl::Status CheckTls(const ServerTls& tls) {
  const Certificate certificate = ReadCertificate(tls.cert);
  if (!certificate) return absl::InvalidArgumentError("--tls-cert holds no PEM certificate");
  const Key key = ReadKey(tls.key);
  if (!key) return absl::InvalidArgumentError("--tls-key holds no unencrypted PEM private key");
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return absl::InvalidArgumentError("--tls-key is not the key of the certificate in --tls-cert");
  }
  if (!tls.client_ca.empty() && !ReadCertificate(tls.client_ca)) {
    return absl::InvalidArgumentError("--tls-ca holds no PEM certificate");
  }
  return absl::OkStatus();
}

absl::Time FirstExpiry(const std::string& pem) {
  const Bio text = Open(pem);
  absl::Time first = absl::InfiniteFuture();
  while (const Certificate one = {PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr),
                                  &X509_free}) {
    std::tm end{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(one.get()), &end) == 1) {
      first = std::min(first, absl::FromTM(end, absl::UTCTimeZone()));
    }
  }
  ERR_clear_error();  // of the attempt to read beyond the last one
  return first;
}

}  // namespace triarch
