// Holds the words shared by the writer and the replay of TPGN.

#ifndef TRIARCH_CORE_RECORD_TPGN_WORDS_H_
#define TRIARCH_CORE_RECORD_TPGN_WORDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/game/seat.h"

namespace triarch::tpgn {

inline constexpr std::string_view kUnknown = "?";
inline constexpr std::string_view kUnknownDate = "????.??.??";
inline constexpr std::string_view kUnfinished = "*";

inline constexpr std::string_view kResigns = " resigns";
inline constexpr std::string_view kForfeits = " forfeits: ";
inline constexpr std::string_view kClaimsDraw = " claims draw";
inline constexpr std::string_view kFallback = "fallback";
inline constexpr std::string_view kBlunderGlyph = "$4";  // as in PGN

// Returns the character as a tag may contain it: a tag stays on one line.
constexpr char InTag(char c) {
  const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  return is_control ? ' ' : c;
}

// The annotations with what a bot said about its move.
inline constexpr std::string_view kDepth = "[%depth ";
inline constexpr std::string_view kNodes = "[%nodes ";
inline constexpr std::string_view kLine = "[%pv ";
inline constexpr std::string_view kExplanation = "[%info ";

// Returns a bot's text as an annotation may contain it. What would end the comment or the
// annotation, or could look like a tag or a comment of another kind at the beginning of a line, is
// escaped as in "\x7d", and so are line feeds and backslashes.
std::string InAnnotation(std::string_view text);
// Returns the text that InAnnotation was given.
std::string FromAnnotation(std::string_view text);

// Returns the tag with a seat's own limits: "WhiteTimeControl".
std::string TimeControlTagOf(const GameInfo& info, Seat seat);

// Returns the reason of a forfeit, as in "{Black forfeits: time}".
std::string_view ForfeitWord(Termination why);
std::optional<Termination> ParseForfeitWord(std::string_view word);

// Returns the Endings tag, which says how each seat ended: "winner/checkmate/time_forfeit".
// Survivors who share first place have "draw", survivors who lost by adjudication its termination,
// and seats that were out before the first move "out".
std::string EndingsText(const Outcome& outcome, const PerSeat<std::optional<Termination>>& endings,
                        size_t seats);

}  // namespace triarch::tpgn

#endif  // TRIARCH_CORE_RECORD_TPGN_WORDS_H_
