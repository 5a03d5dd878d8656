// Splits and quotes the words of the bot protocol.

#ifndef TRIARCH_BOTS_UCI_UCI_WORDS_H_
#define TRIARCH_BOTS_UCI_UCI_WORDS_H_

#include <string_view>
#include <vector>

// Shared by both sides of docs/bot-protocol.md.
namespace triarch {

inline constexpr const char* kVariantOption = "UCI_Variant";
inline constexpr const char* kLegalMovesOption = "LegalMoves";
inline constexpr const char* kSeedOption = "Seed";

// Removes and returns the first word of a line. Words are separated by spaces and tabs. Returns an
// empty string if the line is blank.
std::string_view TakeWord(std::string_view* line);

// Returns all words of a line.
std::vector<std::string_view> WordsOf(std::string_view line);

}  // namespace triarch

#endif  // TRIARCH_BOTS_UCI_UCI_WORDS_H_
