// Implements the list of games of triarch.h.

#include <array>
#include <string>
#include <vector>

#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/triarch.h"
#include "core/any_state.h"
#include "core/planes.h"
#include "core/sample.h"
#include "core/text.h"

namespace triarch::capi {
namespace {

// Texts as C strings, followed by NULL.
class Names {
 public:
  explicit Names(std::span<const std::string_view> names) : texts_(names.begin(), names.end()) {
    for (const std::string& text : texts_) pointers_.push_back(text.c_str());
    pointers_.push_back(nullptr);
  }
  const char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

template <class P>
const triarch_game_info* InfoOf() {
  static const std::string name(P::kInfo.name);
  static const std::string notation(P::kInfo.notation);
  static const Names seats({P::kInfo.seat_names.data(), P::kInfo.seats});
  static const Names starts(Starts(kGame<P>));
  static const Names forms(MoveForms(kGame<P>));
  static const Names planes(PlaneNames(kGame<P>));
  static const triarch_game_info info = [] {
    triarch_game_info made{.name = name.c_str(),
                           .notation = notation.c_str(),
                           .seats = static_cast<uint32_t>(P::kInfo.seats),
                           .cells = static_cast<uint32_t>(P::kCells),
                           .policy_size = static_cast<uint32_t>(SampleShape<P>::kPolicySize),
                           .planes = static_cast<uint32_t>(PlaneNames(kGame<P>).size()),
                           .seat_names = {},
                           .seat_letters = {},
                           .starts = starts.get(),
                           .move_forms = forms.get(),
                           .plane_names = planes.get()};
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      made.seat_names[i] = seats.get()[i];
      made.seat_letters[i] = P::kInfo.seat_letters[i];
    }
    return made;
  }();
  return &info;
}

static_assert(static_cast<int>(Termination::kCheckmate) == TRIARCH_CHECKMATE);
static_assert(static_cast<int>(Termination::kKingCapture) == TRIARCH_KING_CAPTURE);
static_assert(static_cast<int>(Termination::kResignation) == TRIARCH_RESIGNATION);
static_assert(static_cast<int>(Termination::kPlyLimit) == TRIARCH_PLY_LIMIT);
static_assert(static_cast<int>(Termination::kAbandoned) == TRIARCH_ABANDONED);

}  // namespace
}  // namespace triarch::capi

using triarch::capi::Fail;
using triarch::capi::kTag;

uint32_t triarch_abi_version(void) { return TRIARCH_ABI_VERSION; }
const char* triarch_version(void) { return TRIARCH_VERSION; }

triarch_status triarch_find_game(const char* name, triarch_game* game, triarch_error* error) {
  return triarch::capi::Guard(error, [&] {
    const absl::StatusOr<const triarch::GameInfo*> info =
        triarch::FindGame(name == nullptr ? "" : name);
    if (!info.ok()) return Fail(TRIARCH_INVALID_ARGUMENT, info.status(), error);
    triarch::ForEachGame(triarch::Games(), [&]<class P>() {
      if (&P::kInfo != *info) return false;
      *game = static_cast<triarch_game>(kTag<P>);
      return true;
    });
    return TRIARCH_OK;
  });
}

const triarch_game_info* triarch_get_game_info(triarch_game game) {
  const triarch_game_info* info = nullptr;
  triarch::ForEachGame(triarch::Games(), [&]<class P>() {
    if (kTag<P> != static_cast<uint64_t>(game)) return false;
    info = triarch::capi::InfoOf<P>();
    return true;
  });
  return info;
}

const char* triarch_termination_name(uint32_t termination) {
  if (termination > TRIARCH_ABANDONED) return nullptr;
  // The words are literals, so each ends with a NUL.
  return triarch::ToString(static_cast<triarch::Termination>(termination)).data();
}
