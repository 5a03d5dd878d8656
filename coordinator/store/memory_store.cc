#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

constexpr int64_t kOnlyId = 1;

class MemoryStore : public Store {
 public:
  absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) override {
    if (spec_) {
      const int64_t games_end = games_.empty() ? 0 : games_.rbegin()->first + 1;
      RETURN_IF_ERROR(CheckContinues("the store", *spec_, spec, games_end));
    }
    spec_ = WithoutOutput(spec);
    return kOnlyId;
  }

  absl::StatusOr<std::vector<StoredTournament>> Tournaments() override {
    std::vector<StoredTournament> tournaments;
    if (spec_) tournaments.push_back(Stored());
    return tournaments;
  }

  absl::StatusOr<StoredTournament> Tournament(int64_t id) override {
    RETURN_IF_ERROR(CheckId(id));
    return Stored();
  }

  absl::Status Record(int64_t tournament, std::span<const GameRecord> records) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::vector<GameSummary> summaries;
    for (const GameRecord& record : records) {
      ASSIGN_OR_RETURN(GameSummary summary, Summarize(*spec_, record));
      summaries.push_back(std::move(summary));
    }
    for (size_t i = 0; i < records.size(); ++i) {
      if (games_.contains(records[i].index)) continue;
      games_.emplace(records[i].index, Game{summaries[i], WriteTpgn(records[i])});
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::vector<Range> ranges;
    for (const auto& [index, game] : games_) {
      if (ranges.empty() || ranges.back().last != index) ranges.push_back({index, index});
      ++ranges.back().last;
    }
    return ranges;
  }

  absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                          absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    return VisitTpgn(tournament, filter, [&visit](const GameSummary& summary, std::string_view) {
      return visit(summary);
    });
  }

  absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::optional<int> bot;
    if (filter.bot) {
      ASSIGN_OR_RETURN(bot, FindBot(*spec_, *filter.bot));
    }
    for (const auto& [index, game] : games_) {
      if (bot && !IsAtTable(*bot, game)) continue;
      RETURN_IF_ERROR(visit(game.summary, game.tpgn));
    }
    return absl::OkStatus();
  }

 private:
  struct Game {
    GameSummary summary;
    std::string tpgn;
  };

  static bool IsAtTable(int bot, const Game& game) {
    for (size_t i = 0; i < kSeatsMax; ++i) {
      // A seat that the game lacks has no place.
      if (game.summary.outcome.place[SeatAt(i)] != 0 && game.summary.bots[SeatAt(i)] == bot) {
        return true;
      }
    }
    return false;
  }

  absl::Status CheckId(int64_t id) const {
    if (spec_ && id == kOnlyId) return absl::OkStatus();
    return absl::NotFoundError(absl::StrFormat("there is no tournament %d", id));
  }

  StoredTournament Stored() const {
    return {.id = kOnlyId, .spec = *spec_, .games_recorded = static_cast<int64_t>(games_.size())};
  }

  std::optional<TournamentSpec> spec_;
  std::map<int64_t, Game> games_;
};

}  // namespace

std::unique_ptr<Store> MakeMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace triarch
