// Splits and quotes the words of the bot protocol.

#ifndef TRIARCH_BOTS_UCI_UCI_WORDS_H_
#define TRIARCH_BOTS_UCI_UCI_WORDS_H_

#include <string_view>
#include <vector>

// What both sides of docs/bot-protocol.md need.
namespace triarch {

inline constexpr const char* kVariantOption = "UCI_Variant";
inline constexpr const char* kLegalMovesOption = "LegalMoves";
inline constexpr const char* kSeedOption = "Seed";

// The first word of a line, which is then without it: what stands between spaces and tabs. Empty if
// there is none.
std::string_view TakeWord(std::string_view* line);

// All of them.
std::vector<std::string_view> WordsOf(std::string_view line);

}  // namespace triarch

#endif  // TRIARCH_BOTS_UCI_UCI_WORDS_H_
