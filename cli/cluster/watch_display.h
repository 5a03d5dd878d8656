// Shows the news about a tournament: on a terminal, as plain lines, or as JSON.

#ifndef TRIARCH_CLI_CLUSTER_WATCH_DISPLAY_H_
#define TRIARCH_CLI_CLUSTER_WATCH_DISPLAY_H_

#include <memory>

#include "cli/cluster/news_feed.h"

namespace triarch {

class Display {
 public:
  virtual ~Display() = default;
  // Called often, with unchanged or newer news.
  virtual void Show(const News& news) = 0;
  // Called once at the end if there was an answer. The standings of a tournament that is over may
  // be missing.
  virtual void End(const News& news) = 0;
};

// Returns the display that suits standard output.
std::unique_ptr<Display> MakeDisplay(bool is_json);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_WATCH_DISPLAY_H_
