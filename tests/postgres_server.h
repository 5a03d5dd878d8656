// A PostgreSQL server for tests.

#ifndef TRIARCH_TESTS_POSTGRES_SERVER_H_
#define TRIARCH_TESTS_POSTGRES_SERVER_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "core/base/temporary_folder.h"

namespace triarch {

// Runs in a temporary folder, with a socket there and a free port of 127.0.0.1. It ends with this
// object and with the process, however that ends. Aborts the process if the server cannot be
// started. If this process is root, the server runs as the user postgres, because PostgreSQL
// refuses root.
//
// Starting takes about a second, so a test binary shares one server (Shared()) and each test uses a
// new database. Data is not synced: it survives Kill(), but not a crash of the machine.
class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Returns the server of this process. Starts it if it is not running.
  static PostgresServer& Shared();

  // Creates an empty database. Requires: the name is a plain identifier and not in use.
  void CreateDatabase(const std::string& name);
  // Creates a database with a new name, and returns the name.
  std::string NewDatabase();

  // Return the superuser's URL of a database, through the socket or through TCP.
  std::string Url(std::string_view database) const;
  std::string TcpUrl(std::string_view database) const;
  int port() const { return port_; }
  // The folder of the sockets; the server's is .s.PGSQL.<port>.
  std::string socket_folder() const { return folder_.path(); }
  // Requires a password from that role from now on. Other roles need none.
  void RequirePassword(const std::string& role);

  void Start();  // waits until it answers
  void Stop();   // shuts down cleanly
  void Kill();   // kills all its processes with SIGKILL
  bool is_running() const { return process_ > 0; }

  // Runs SQL in a database as the superuser. Returns the first column of the first row as text, or
  // "". Aborts the process if it fails.
  std::string Ask(std::string_view database, const std::string& sql) const;

 private:
  std::string DataFolder() const { return folder_ / "data"; }
  bool TryStart();

  TemporaryFolder folder_;
  int port_ = 0;
  pid_t process_ = 0;
  int databases_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_POSTGRES_SERVER_H_
