// Lists the migrations of both databases, which the build generates from schema/*/*.sql.

#ifndef TRIARCH_COORDINATOR_STORE_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace triarch {

// The files of schema/sqlite and schema/postgres in order. The first one makes a database of
// version kFirstSchema, and each other brings it to the next version. Never change a released file;
// add a new one.
std::span<const std::string_view> SqliteMigrations();
std::span<const std::string_view> PostgresMigrations();

// Databases of earlier versions are refused.
inline constexpr int64_t kFirstSchema = 4;
// Returns the version of a database after all these migrations.
inline int64_t LastSchema(std::span<const std::string_view> migrations) {
  return kFirstSchema - 1 + std::ssize(migrations);
}
// Returns those of the migrations that a database of that version lacks; version 0 is empty.
inline std::span<const std::string_view> MissingMigrations(
    std::span<const std::string_view> migrations, int64_t version) {
  return migrations.subspan(version == 0 ? 0 : static_cast<size_t>(version - kFirstSchema + 1));
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_SCHEMA_H_
