// Answers the read-only API of the web page (docs/web-api.md).

#ifndef TRIARCH_SITE_SITE_API_H_
#define TRIARCH_SITE_SITE_API_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "arena/api/reply.h"
#include "arena/api/route.h"
#include "arena/api/v2_parts.h"
#include "coordinator/store/store.h"
#include "http/web_server.h"
#include "site/store_reader.h"

namespace triarch::site {

// Runs a function in the thread of the requests.
using Poster = std::function<void(std::function<void()>)>;

class SiteApi {
 public:
  // `reader` must outlive the API, and end before the server of the requests.
  SiteApi(StoreReader& reader, Poster post);

  // Answers the request if its path belongs to the API; otherwise returns false.
  bool Handle(const arena::Exchange& exchange);

  // Returns what an arena's API needs to answer the same paths.
  std::vector<arena::V2Entry> EntriesForArena();

  const std::vector<arena::Route>& routes() const { return routes_; }

 private:
  struct Call {
    std::vector<std::string> path;  // the parameters
    std::map<std::string, std::string> query;
  };
  using Result = absl::StatusOr<WebResponse>;
  // Answers at once, or in the thread of the store.
  using Handler = Result (*)(const Call&);
  using StoreHandler = Result (SiteApi::*)(Store&, const Call&);
  struct Entry {
    arena::Route route;
    Handler handle = nullptr;
    StoreHandler read = nullptr;  // if not `handle`
  };

  static Result ShowHealth(const Call& call);
  static Result ShowRules(const Call& call);
  static Result ShowGeometry(const Call& call);
  static Result ShowStart(const Call& call);
  Result ListTournaments(Store& store, const Call& call);
  Result ShowTournament(Store& store, const Call& call);
  Result ShowStandings(Store& store, const Call& call);
  Result ShowGames(Store& store, const Call& call);
  Result ShowOneGame(Store& store, const Call& call);
  Result ShowOneTpgn(Store& store, const Call& call);

  static std::vector<Entry> Entries();
  void Answer(const arena::Exchange& exchange, const Entry& entry, std::vector<std::string> path);
  void Read(const arena::Exchange& exchange, StoreHandler read, Call call);

  // The standings of a tournament take seconds if it has many games.
  struct KnownStandings {
    int64_t recorded = 0;  // what they depend on
    int64_t games = 0;
    WebText json;
  };

  StoreReader& reader_;
  const Poster post_;
  const std::vector<Entry> entries_ = Entries();
  std::vector<arena::Route> routes_;
  std::map<int64_t, KnownStandings> standings_;  // used in the reader's thread
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_API_H_
