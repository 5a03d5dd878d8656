// Writes the web page with finished tournaments as files (docs/static-site.md).

#ifndef TRIARCH_SITE_SITE_EXPORT_H_
#define TRIARCH_SITE_SITE_EXPORT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"
#include "site/page_files.h"
#include "site/site_folder.h"

namespace triarch::site {

// Returns a script that gives the page the answer to a path of the API: `json` is its text.
// "tournaments/1" becomes triarchData("tournaments/1", {…});
std::string DataScript(std::string_view key, std::string_view json);

// Call WritePage, AddStore for each database, and Finish. After an error, do not go on.
class SiteExport {
 public:
  // `folder` must outlive it. Fails with Cancelled soon after `is_ending` returns true.
  SiteExport(SiteFolder& folder, std::function<bool()> is_ending)
      : folder_(folder), is_ending_(std::move(is_ending)) {}

  // Writes the page's own files and what depends only on the games. Fails with Unimplemented if
  // there are no files.
  absl::Status WritePage(std::span<const PageFile> files);
  // Writes the tournaments of a store that are done or cancelled, under new ids.
  absl::Status AddStore(Store& store);
  // Writes the lists of all tournaments and bots. Fails with NotFound if there is none.
  absl::Status Finish();

  int64_t tournaments() const { return std::ssize(tournaments_); }
  int64_t games() const { return games_; }
  // The tournaments that were not over, in the order of the stores.
  const std::vector<StoredTournament>& left_out() const { return left_out_; }

 private:
  // Identifies a tournament in its store and in the site.
  struct Source {
    Store& store;
    const StoredTournament& tournament;
    int64_t id;
    std::string key;  // "tournaments/1"
  };

  absl::Status WriteData(std::string_view key, std::string_view json);
  absl::Status WriteGameKinds();
  absl::Status AddTournament(Store& store, const StoredTournament& tournament);
  // Returns the indices of the recorded games, the newest first.
  absl::StatusOr<std::vector<int64_t>> WriteLists(const Source& source);
  absl::Status WriteBots();
  absl::Status WriteGames(const Source& source, std::span<const int64_t> indices);
  static absl::StatusOr<std::string> GameScripts(const Source& source, int64_t index);
  absl::Status CheckGoesOn() const;

  SiteFolder& folder_;
  const std::function<bool()> is_ending_;
  std::vector<StoredTournament> tournaments_;                // with their ids in the site
  std::vector<std::shared_ptr<const Standings>> standings_;  // of each, for the pages of bots
  std::vector<StoredTournament> left_out_;
  int64_t games_ = 0;
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_EXPORT_H_
