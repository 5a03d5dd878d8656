#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

TEST(StoreUrl, AcceptsFilesAndUrls) {
  for (const char* good :
       {"my.db", "/a/b.db", "postgresql://triarch@localhost/triarch", "postgres:///triarch",
        "postgresql://triarch@a,b/triarch?target_session_attrs=read-write",
        "postgresql://a:5432,b:5433/triarch", "postgresql:///triarch?host=/run/postgresql&port="}) {
    EXPECT_TRUE(CheckStoreUrl(good).ok()) << CheckStoreUrl(good);
  }
}

// A coordinator would wait for such a server forever.
TEST(StoreUrl, RefusesWhatCannotBeConnectedTo) {
  for (const char* bad :
       {"postgresql://a:x/triarch", "postgresql://a:70000/triarch", "postgresql://a:1,b:0/triarch",
        "postgresql://a/triarch?colour=red", "postgresql://[a/triarch", "mysql://a/triarch"}) {
    EXPECT_EQ(CheckStoreUrl(bad).code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

TEST(StoreUrl, IsNoFile) {
  const auto opened = OpenSqliteStore("postgresql://triarch:secret@a/b", OpenMode::kCreate);
  EXPECT_THAT(opened.status().message(), HasSubstr("postgresql://triarch@a/b is a PostgreSQL"));
}

}  // namespace
}  // namespace triarch
