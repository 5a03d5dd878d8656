#ifndef TRIARCH_TESTS_POSTGRES_SERVER_H_
#define TRIARCH_TESTS_POSTGRES_SERVER_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "core/base/temporary_folder.h"

namespace triarch {

// A PostgreSQL of its own in a temporary folder, on a socket there and on a free port of 127.0.0.1.
// It ends with this object, and with the process however that ends. The process ends if the server
// cannot be started. As root it runs under the user postgres, which PostgreSQL wants.
//
// Making one takes about a second, so one serves a whole test binary (Shared()); each test has a
// database of its own. What it writes is not synced: it survives Kill(), not the machine.
class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Of this process: made when it is first asked for, started again if it is not running.
  static PostgresServer& Shared();

  // A new, empty database of that name, which must be new too. Names are plain identifiers.
  void CreateDatabase(const std::string& name);
  // A database of a new name.
  std::string NewDatabase();

  // The superuser's address of a database, by the socket or by TCP.
  std::string Url(std::string_view database) const;
  std::string TcpUrl(std::string_view database) const;
  int port() const { return port_; }
  // Where the sockets are; the server's is .s.PGSQL.<port>.
  std::string socket_folder() const { return folder_.path(); }
  // From now on that role needs its password; all others need none.
  void RequirePassword(const std::string& role);

  void Start();  // and wait until it answers
  void Stop();   // in good order
  void Kill();   // -9, all of its processes
  bool is_running() const { return process_ > 0; }

  // Runs SQL in a database as the superuser. The first column of the first row as text ("" if
  // there is none); the process ends if it fails.
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
