// Writes TPGN in the strict from-to form.

#ifndef TRIARCH_CORE_RECORD_STRICT_TPGN_H_
#define TRIARCH_CORE_RECORD_STRICT_TPGN_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace triarch {

// Returns the only game of a TPGN text with each move in its canonical form, "E4-D5" and "E1-G1"
// instead of "E4xD5+" and "O-O", for readers that know no other (docs/tpgn.md). Drops the tags that
// we do not write and variations. The game must follow the rules.
absl::StatusOr<std::string> ToStrictTpgn(std::string_view tpgn);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_STRICT_TPGN_H_
