#include "coordinator/store/sqlite_schema.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "coordinator/store/schema.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::sqlite {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::string_view, 3> kMigrations = {
    "CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (1)",
    "ALTER TABLE one ADD COLUMN y INTEGER NOT NULL DEFAULT 2",
    "CREATE TABLE two (z INTEGER); INSERT INTO two SELECT x + y FROM one",
};

class SqliteSchemaTest : public ::testing::Test {
 protected:
  absl::Status Prepare(Access access, std::span<const std::string_view> migrations) {
    db_.reset();
    db_ = Database::Open(path_, "a.db", access).value();
    return PrepareSchema(*db_, "a.db", access == Access::kCreate, migrations);
  }
  absl::Status Write(size_t known) {
    return Prepare(Access::kCreate, std::span(kMigrations).first(known));
  }
  absl::Status Read(size_t known) {
    return Prepare(Access::kRead, std::span(kMigrations).first(known));
  }
  int64_t Ask(std::string_view sql) { return db_->AskInt(sql).value(); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "a.db";
  std::unique_ptr<Database> db_;
};

TEST_F(SqliteSchemaTest, AWriterAppliesTheMissingMigrations) {
  ASSERT_TRUE(Write(1).ok());
  EXPECT_EQ(Ask("PRAGMA user_version"), kFirstSchema);
  EXPECT_EQ(Ask("SELECT x FROM one"), 1);
  ASSERT_TRUE(Write(3).ok());
  EXPECT_EQ(Ask("PRAGMA user_version"), kFirstSchema + 2);
  EXPECT_EQ(Ask("SELECT z FROM two"), 3);
  ASSERT_TRUE(Write(3).ok()) << "nothing needs to be done";
  EXPECT_EQ(Ask("SELECT count(*) FROM two"), 1);
}

TEST_F(SqliteSchemaTest, AReaderNeedsItsExactSchema) {
  ASSERT_TRUE(Write(2).ok());
  EXPECT_TRUE(Read(2).ok());
  const absl::Status older = Read(3);
  EXPECT_EQ(older.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(older.message()),
      HasSubstr(absl::StrFormat("database a.db has the older schema %d", kFirstSchema + 1)));
  const absl::Status newer = Read(1);
  EXPECT_EQ(newer.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(newer.message()),
      HasSubstr(absl::StrFormat("has schema %d, made by a newer triarch", kFirstSchema + 1)));
  EXPECT_EQ(Ask("PRAGMA user_version"), kFirstSchema + 1);
}

TEST_F(SqliteSchemaTest, RefusesSchemasBeforeTheFirst) {
  ASSERT_TRUE(Write(1).ok());
  ASSERT_TRUE(db_->Run("PRAGMA user_version = 1").ok());
  for (const absl::Status& status : {Read(3), Write(3)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("database a.db has schema 1, made by an older triarch"));
  }
  EXPECT_EQ(Ask("PRAGMA user_version"), 1);
}

TEST_F(SqliteSchemaTest, AFailedMigrationChangesNothing) {
  ASSERT_TRUE(Write(1).ok());
  constexpr std::array<std::string_view, 3> kBroken = {kMigrations[0], kMigrations[1], "NONSENSE"};
  EXPECT_FALSE(Prepare(Access::kCreate, kBroken).ok());
  EXPECT_EQ(Ask("PRAGMA user_version"), kFirstSchema);
  EXPECT_EQ(Ask("SELECT count(*) FROM pragma_table_info('one')"), 1);
}

}  // namespace
}  // namespace triarch::sqlite
