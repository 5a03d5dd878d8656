#include "arena/store/arena_store.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace triarch::arena {

std::string_view ToString(Ban::Kind kind) {
  switch (kind) {
    case Ban::Kind::kName:
      return "name";
    case Ban::Kind::kAddress:
      return "address";
    default:
      return "mute";
  }
}

absl::StatusOr<Ban::Kind> ParseBanKind(std::string_view text) {
  for (const Ban::Kind kind : {Ban::Kind::kName, Ban::Kind::kAddress, Ban::Kind::kMute}) {
    if (text == ToString(kind)) return kind;
  }
  return absl::DataLossError("there is no ban of the kind " + std::string(text));
}

absl::Status ForStrangers(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInternal:
      return absl::Status(error.code(), "the arena's database does not answer; try again");
    default:
      return error;
  }
}

void SortBans(std::vector<Ban>& bans) {
  std::sort(bans.begin(), bans.end(), [](const Ban& a, const Ban& b) {
    return std::tie(a.kind, a.what) < std::tie(b.kind, b.what);
  });
}

}  // namespace triarch::arena
