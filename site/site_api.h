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

  const std::vector<arena::Route>& routes() const { return routes_; }

 private:
  struct Call {
    std::vector<std::string> path;  // the parameters
    std::map<std::string, std::string> query;
  };
  using Answer = absl::StatusOr<WebResponse>;
  // Answers at once, or in the thread of the store.
  using Handler = Answer (*)(const Call&);
  using StoreHandler = Answer (SiteApi::*)(Store&, const Call&);
  struct Entry {
    arena::Route route;
    Handler handle = nullptr;
    StoreHandler read = nullptr;  // if not `handle`
  };

  static Answer ShowHealth(const Call& call);
  static Answer ShowRules(const Call& call);
  static Answer ShowGeometry(const Call& call);
  static Answer ShowStart(const Call& call);
  Answer ListTournaments(Store& store, const Call& call);
  Answer ShowTournament(Store& store, const Call& call);
  Answer ShowStandings(Store& store, const Call& call);
  Answer ShowGames(Store& store, const Call& call);
  Answer ShowOneGame(Store& store, const Call& call);
  Answer ShowOneTpgn(Store& store, const Call& call);

  static std::vector<Entry> Entries();
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
