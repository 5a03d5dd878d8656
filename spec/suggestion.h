// Suggests the word that a user probably meant.

#ifndef TRIARCH_SPEC_SUGGESTION_H_
#define TRIARCH_SPEC_SUGGESTION_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace triarch {

// Returns the number of letters to add, remove or change to turn one word into the other.
size_t EditDistance(std::string_view a, std::string_view b);

// Returns the known word that is most similar to an unknown one, or "" if none is similar.
std::string_view NearestOf(std::string_view word, std::span<const std::string_view> known);

// Returns the end of a message about an unknown word: `; did you mean "seed"?` or `; expected one
// of …`.
std::string ExpectedOneOf(std::string_view word, std::span<const std::string_view> known);

}  // namespace triarch

#endif  // TRIARCH_SPEC_SUGGESTION_H_
