#include "coordinator/service/server_tls.h"

#include <string>

#include "gtest/gtest.h"

namespace triarch {
namespace {

// It expires on Mar  3 22:39:13 2027 GMT.
constexpr char kShort[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBcjCCARmgAwIBAgIUHXssGV32ahjV3BL3VZ0IkPL+w4gwCgYIKoZIzj0EAwIw\n"
    "DzENMAsGA1UEAwwEdDEwMDAeFw0yNjExMjMyMjM5MTNaFw0yNzAzMDMyMjM5MTNa\n"
    "MA8xDTALBgNVBAMMBHQxMDAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAReOvwU\n"
    "6hXxWfUckQJr8LdBCMH8XimfTxrfI6mjw67Wqagd2OcfC6HVRrYciiF2vQc5FIij\n"
    "r17zHFzD4VHJk8MDo1MwUTAdBgNVHQ4EFgQUVinmbX+0Ex+ncUyxUsuj81Z8Pgow\n"
    "HwYDVR0jBBgwFoAUVinmbX+0Ex+ncUyxUsuj81Z8PgowDwYDVR0TAQH/BAUwAwEB\n"
    "/zAKBggqhkjOPQQDAgNHADBEAiAFwLkDVUZu7mNlkrycXmzKixk6OqdL9RKIA4Wo\n"
    "bD6uwQIgNKo1pvA7HbklrcwP+1Har67B0D/2e3LhaoYWo+Oxljc=\n"
    "-----END CERTIFICATE-----\n";

// It expires on Nov  5 22:39:13 2037 GMT.
constexpr char kLong[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBdTCCARugAwIBAgIULmwQmn6FIwrn1Xse+IApGmDfeUgwCgYIKoZIzj0EAwIw\n"
    "EDEOMAwGA1UEAwwFdDQwMDAwHhcNMjYxMTIzMjIzOTEzWhcNMzcxMTA1MjIzOTEz\n"
    "WjAQMQ4wDAYDVQQDDAV0NDAwMDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMOD\n"
    "7eGDcFIJYPnx7qSpj+BPhuSfHgLcnnMM5VTVG6+tqR4JLGUeK5GZOW83HvUHkoD3\n"
    "Pp2hLorfdabkUvD9a/SjUzBRMB0GA1UdDgQWBBRkjVZWu31xtR/Y9kI7JWCunbf5\n"
    "cTAfBgNVHSMEGDAWgBRkjVZWu31xtR/Y9kI7JWCunbf5cTAPBgNVHRMBAf8EBTAD\n"
    "AQH/MAoGCCqGSM49BAMCA0gAMEUCIQClMv9u9Pgun7xCoWKjM0wyE+UVDoL9J3iN\n"
    "N0wAXGZ1MgIgZDM6JzbU678F+22eetJIN6UxL3NxCln7WN5M8yvsqrw=\n"
    "-----END CERTIFICATE-----\n";

TEST(ServerTls, FindsTheFirstCertificateToExpire) {
  const absl::Time soon = absl::FromUnixSeconds(1804113553);
  const absl::Time later = absl::FromUnixSeconds(2141073553);
  EXPECT_EQ(FirstExpiry(kLong), later);
  EXPECT_EQ(FirstExpiry(std::string("a comment\n") + kLong + kShort), soon);
  EXPECT_EQ(FirstExpiry(std::string(kShort) + kLong), soon);
  EXPECT_EQ(FirstExpiry("nothing"), absl::InfiniteFuture());
}

}  // namespace
}  // namespace triarch
