#ifndef TRIARCH_COORDINATOR_STORE_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_SCHEMA_H_

#include <span>
#include <string_view>

namespace triarch {

// The files of schema/sqlite and schema/postgres in order, as they were when this was built:
// migration i brings a database from version i to version i + 1. A file that was released is never
// changed; new ones follow it.
std::span<const std::string_view> SqliteMigrations();
std::span<const std::string_view> PostgresMigrations();

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_SCHEMA_H_
