#include "core/record/shard_entry.h"

#include <algorithm>
#include <cstddef>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::string_view kFolder = "shards/";
constexpr std::string_view kEnding = ".npz";
constexpr size_t kNameMax = 100;

}  // namespace

bool IsShardName(std::string_view text) {
  if (text.size() > kNameMax || text.size() <= kFolder.size() + kEnding.size()) return false;
  if (!text.starts_with(kFolder) || !text.ends_with(kEnding)) return false;
  const std::string_view name =
      text.substr(kFolder.size(), text.size() - kFolder.size() - kEnding.size());
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace triarch
