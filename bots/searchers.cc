#include "bots/searchers.h"

#include <array>

namespace triarch {

// Each is defined in its own folder.
extern const BundledBot kRandomBot;
extern const BundledBot kGreedyBot;
extern const BundledBot kSmartBot;
extern const BundledBot kParanoidBot;
extern const BundledBot kMaxnBot;
extern const BundledBot kMctsBot;

std::span<const BundledBot* const> Searchers() {
  static constexpr std::array<const BundledBot*, 6> kSearchers = {
      &kRandomBot, &kGreedyBot, &kSmartBot, &kParanoidBot, &kMaxnBot, &kMctsBot};
  return kSearchers;
}

}  // namespace triarch
