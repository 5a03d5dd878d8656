#ifndef TRIARCH_CORE_RECORD_SPEC_WORDS_H_
#define TRIARCH_CORE_RECORD_SPEC_WORDS_H_

#include <optional>
#include <string_view>

#include "core/game/game_state.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// The words of the tournament file: "round_robin", "gauntlet"; "automatic", "claimed"; "on", "off".
std::string_view ToString(Format format);
std::string_view ToString(Draws draws);
std::optional<Format> ParseFormat(std::string_view word);
std::optional<Draws> ParseDraws(std::string_view word);
std::string_view OnOff(bool is_on);
std::optional<bool> ParseOnOff(std::string_view word);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_SPEC_WORDS_H_
