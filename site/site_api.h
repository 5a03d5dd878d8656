// Answers the read-only API of the web page (docs/web-api.md).

#ifndef TRIARCH_SITE_SITE_API_H_
#define TRIARCH_SITE_SITE_API_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "arena/api/reply.h"
#include "arena/api/route.h"
#include "arena/api/v2_parts.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"
#include "core/record/live_game.h"
#include "http/web_server.h"
#include "site/kept_answers.h"
#include "site/store_reader.h"

namespace triarch::site {

// Runs a function in the thread of the requests.
using Poster = std::function<void(std::function<void()>)>;

class SiteApi {
 public:
  // Answers that look at all games of a tournament are computed by `slow`, so that nothing else
  // waits for them. Both readers must outlive the API, and end before the server of the requests.
  // `live` has the games in progress; without it, there are none.
  SiteApi(StoreReader& reader, StoreReader& slow, Poster post, LiveSource live = nullptr);

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
  // The tournaments on which an answer depends, and the tag that changes with them.
  struct Scope {
    std::vector<StoredTournament> tournaments;
    std::string tag;

    const StoredTournament& one() const { return tournaments.front(); }
    // Whether games are being played.
    bool goes_on() const;
  };
  // A request for something in the store.
  struct Question {
    arena::Exchange exchange;
    std::string request;  // its path and query
    std::string tag;      // of the answer that the client has; empty for none
    Call call;
  };
  using Result = absl::StatusOr<WebResponse>;
  using Handler = Result (SiteApi::*)(const Call&);
  using StoreHandler = Result (SiteApi::*)(Store&, const Scope&, const Call&);
  enum class Speed : uint8_t { kFast, kSlow };
  struct Entry {
    arena::Route route;
    Handler handle = nullptr;
    StoreHandler read = nullptr;  // if not `handle`
    Speed speed = Speed::kFast;   // of `read`
  };

  Result ShowHealth(const Call& call);
  Result ShowRules(const Call& call);
  Result ShowGeometry(const Call& call);
  Result ShowStart(const Call& call);
  Result ListLiveGames(const Call& call);
  Result ShowLiveGame(const Call& call);
  Result ListTournaments(Store& store, const Scope& scope, const Call& call);
  Result ShowTournament(Store& store, const Scope& scope, const Call& call);
  Result ShowStandings(Store& store, const Scope& scope, const Call& call);
  Result ShowProgress(Store& store, const Scope& scope, const Call& call);
  Result ShowOpenings(Store& store, const Scope& scope, const Call& call);
  Result ShowGames(Store& store, const Scope& scope, const Call& call);
  Result ShowOneGame(Store& store, const Scope& scope, const Call& call);
  Result ShowOneTpgn(Store& store, const Scope& scope, const Call& call);
  Result ListBots(Store& store, const Scope& scope, const Call& call);
  Result ShowBot(Store& store, const Scope& scope, const Call& call);

  static std::vector<Entry> Entries();
  void Answer(const arena::Exchange& exchange, const Entry& entry, std::vector<std::string> path);
  // The parts of the way of a question: the reader's thread and, for a slow answer that is not
  // known, the slow one's. They hand it back to the thread of the requests.
  void Look(absl::StatusOr<Store*> store, const Entry& entry, Question question);
  void Compute(absl::StatusOr<Store*> store, const Entry& entry, Question question);
  void Reply(Question question, Result result);
  // Reads what the answer depends on: one tournament if the path names it, otherwise all.
  static absl::StatusOr<Scope> ReadScope(Store& store, const Question& question);
  Result Known(const Scope& scope, const Entry& entry, const Question& question) const;
  absl::StatusOr<std::shared_ptr<const Standings>> StandingsOfBots(
      Store& store, const StoredTournament& tournament);

  // What StandingsOfBots knows of a tournament.
  struct KnownStandings {
    std::string tag;
    std::shared_ptr<const Standings> standings;
  };

  StoreReader& reader_;
  StoreReader& slow_;
  const Poster post_;
  const LiveSource live_;
  const std::vector<Entry> entries_ = Entries();
  std::vector<arena::Route> routes_;
  KeptAnswers kept_;                             // the slow ones
  std::map<int64_t, KnownStandings> standings_;  // used in the slow reader's thread
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_API_H_
