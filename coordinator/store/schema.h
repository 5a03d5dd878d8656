// Lists the migrations of both databases, which the build generates from schema/*/*.sql.

#ifndef TRIARCH_COORDINATOR_STORE_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_SCHEMA_H_

#include <span>
#include <string_view>

namespace triarch {

// The files of schema/sqlite and schema/postgres in order. Migration i brings a database from
// version i to version i + 1. Never change a released file; add a new one.
std::span<const std::string_view> SqliteMigrations();
std::span<const std::string_view> PostgresMigrations();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_SCHEMA_H_
