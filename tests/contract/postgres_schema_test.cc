// Tests when a PostgreSQL database is migrated to a later schema.

#include "coordinator/store/postgres_schema.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "coordinator/store/postgres_db.h"
#include "coordinator/store/schema.h"
#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"
#include "tests/postgres_server.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// A later release has one more migration than this one.
class PostgresSchemaTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Open() { return OpenPostgresStore(url_, OpenMode::kCreate).value(); }
  absl::Status OpenLater(OpenMode mode) {
    const std::array<std::string_view, 2> later = {
        PostgresMigrations().front(),
        "ALTER TABLE games ADD COLUMN extra BIGINT NOT NULL DEFAULT 7"};
    const std::unique_ptr<postgres::Database> db =
        postgres::Database::Open(url_, mode == OpenMode::kReadOnly).value();
    return postgres::PrepareSchema(*db, mode, later);
  }
  std::string Ask(const std::string& sql) { return server_.Ask(database_, sql); }

  PostgresServer& server_ = PostgresServer::Shared();
  const std::string database_ = server_.NewDatabase();
  const std::string url_ = server_.Url(database_);
};

TEST_F(PostgresSchemaTest, OnlyCreatingMigratesAnOlderSchema) {
  ASSERT_EQ(PostgresMigrations().size(), 1u);
  {
    const std::unique_ptr<Store> store = Open();
    const int64_t id = store->OpenTournament(SampleSpec()).value();
    ASSERT_TRUE(store->Record(id, SampleRecords(0, 1)).ok());
  }
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kExisting}) {
    const absl::Status status = OpenLater(mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("has the older schema 4; update to 5 with triarch migrate"));
  }
  ASSERT_TRUE(OpenLater(OpenMode::kCreate).ok());
  EXPECT_EQ(Ask("SELECT string_agg(version::text, ' ' ORDER BY version) FROM triarch_schema"),
            "4 5");
  EXPECT_EQ(Ask("SELECT extra FROM games"), "7");
  ASSERT_TRUE(OpenLater(OpenMode::kCreate).ok()) << "there is nothing to do";
  EXPECT_THAT(std::string(OpenPostgresStore(url_, OpenMode::kCreate).status().message()),
              HasSubstr("has schema 5, made by a newer triarch; this one knows up to 4"));
}

TEST_F(PostgresSchemaTest, RefusesSchemasBeforeTheFirst) {
  Open();
  Ask("UPDATE triarch_schema SET version = 1");
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kExisting, OpenMode::kCreate}) {
    const absl::Status status = OpenPostgresStore(url_, mode).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("has schema 1, made by an older triarch; this one knows schemas from 4"));
  }
}

// A newer coordinator that will stand by leaves the schema to the older leader.
TEST_F(PostgresSchemaTest, NoMigrationWhileACoordinatorLeads) {
  std::unique_ptr<Store> leader = Open();
  ASSERT_TRUE(leader->TryLead().value().has_value());
  const absl::Status status = OpenLater(OpenMode::kCreate);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("a coordinator that leads it"));
  EXPECT_EQ(Ask("SELECT max(version) FROM triarch_schema"), "4");
  leader.reset();
  EXPECT_TRUE(OpenLater(OpenMode::kCreate).ok());
  EXPECT_EQ(Ask("SELECT max(version) FROM triarch_schema"), "5");
}

}  // namespace
}  // namespace triarch
