// The bytes of the files in bots/nnue/networks/.

#ifndef TRIARCH_BOTS_NNUE_BUNDLED_H_
#define TRIARCH_BOTS_NNUE_BUNDLED_H_

#include <span>
#include <string_view>

namespace triarch::nnue {

std::span<const std::string_view> BundledBytes();

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_BUNDLED_H_
