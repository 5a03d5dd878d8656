#include "bots/llm/answer.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "bots/llm/notation.h"
#include "core/base/text.h"

namespace triarch::llm {
namespace {

using Json = nlohmann::json;

constexpr size_t kBytesMax = 64 << 10;  // only the end of a longer text is read
constexpr int kObjectsMax = 64;         // opening braces to try
constexpr int kDepthMax = 8;

absl::Status Wrong(std::string why) { return absl::InvalidArgumentError(std::move(why)); }

// ---- Cleaning.

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Returns the text after the reasoning. Unfinished reasoning is cut off.
std::string_view WithoutThoughts(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kTags = {"think>", "thinking>", "thought>",
                                                            "reasoning>"};
  for (const std::string_view tag : kTags) {
    const size_t end = text.rfind("</" + std::string(tag));
    if (end != std::string_view::npos) text.remove_prefix(end + 2 + tag.size());
    text = text.substr(0, text.find("<" + std::string(tag)));
  }
  return text;
}

void ReplaceAll(std::string* text, std::string_view what, std::string_view with) {
  for (size_t at = text->find(what); at != std::string::npos;
       at = text->find(what, at + with.size())) {
    text->replace(at, what.size(), with);
  }
}

// Replaces the signs that models often write for "-" and "x" in a move.
std::string WithPlainSigns(std::string_view written) {
  std::string text(written);
  for (const std::string_view dash :
       {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", "\u2192", "->", " - "}) {
    ReplaceAll(&text, dash, "-");
  }
  ReplaceAll(&text, "\u00d7", "x");
  return text;
}

// ---- JSON.

// Finds the first member "move" of an object or its nested objects.
const Json* FindMoveMember(const Json& json, int depth) {
  if (!json.is_object() || depth == 0) return nullptr;
  if (const auto found = json.find("move"); found != json.end()) return &*found;
  for (const Json& member : json) {
    if (const Json* const found = FindMoveMember(member, depth - 1)) return found;
  }
  return nullptr;
}

// Returns the object at the start of the text, up to its closing brace; empty if that is missing.
std::string_view TakeObject(std::string_view text) {
  int depth = 0;
  bool is_in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string) {
      if (c == '\\') ++i;
      is_in_string = c != '"';
    } else if (c == '"') {
      is_in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

// Returns the member "move" of the last object that has one.
std::optional<Json> FindJsonMove(std::string_view text) {
  std::optional<Json> move;
  for (int tries = 0; tries < kObjectsMax; ++tries) {
    const size_t brace = text.find('{');
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    const std::string_view object = TakeObject(text);
    const Json json = Json::parse(object.begin(), object.end(), nullptr, false);
    if (const Json* const found = FindMoveMember(json, kDepthMax)) {
      move.emplace();
      // Copying a deeply nested value would overflow the stack.
      if (found->is_primitive()) *move = *found;
    }
    text.remove_prefix(json.is_object() ? object.size() : 1);
  }
  return move;
}

// ---- Words.

// Returns only the letters: "iclaimadraw" for "I claim a draw!".
std::string LettersOf(std::string_view text) {
  std::string letters;
  for (const char c : Lower(text)) {
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

template <size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool SaysResign(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kWords = {"resign", "iresign", "resigns"};
  return IsOneOf(LettersOf(text), kWords);
}

bool SaysClaim(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kWords = {
      "claim", "draw", "claimdraw", "claimadraw", "claimthedraw", "iclaimadraw"};
  return IsOneOf(LettersOf(text), kWords);
}

class AnswerReader {
 public:
  AnswerReader(const AnyState& state, const AnyState::Moves& moves, Notation notation)
      : state_(state), moves_(moves), notation_(notation) {
    for (size_t i = 0; i < moves.size(); ++i) {
      const std::string tpgn = Lower(state.MoveToTpgn(moves, i));
      forms_.emplace(Lower(state.MoveToString(moves, i)), i);
      forms_.emplace(tpgn, i);
      if (tpgn == "o-o") forms_.emplace("0-0", i);
      if (tpgn == "o-o-o") forms_.emplace("0-0-0", i);
    }
  }

  absl::StatusOr<Answer> ReadJson(const Json& move) const {
    if (!move.is_string()) return Wrong("\"move\" must be a string");
    const std::string written = move.get<std::string>();
    if (SaysResign(written)) return Answer{.kind = Answer::Kind::kResign};
    if (SaysClaim(written)) return Claim();
    std::string text = WithPlainSigns(FromNotation(notation_, Bare(written)));
    if (text.ends_with("e.p")) text += '.';
    if (const auto form = forms_.find(Lower(text)); form != forms_.end()) {
      return Answer{.move = form->second};
    }
    const absl::StatusOr<size_t> number = state_.FindMove(moves_, text);
    if (number.ok()) return Answer{.move = *number};
    return Illegal(written, number.status());
  }

  absl::StatusOr<Answer> ReadText(std::string_view written) const {
    const std::string text = WithPlainSigns(FromNotation(notation_, written));
    std::optional<size_t> last;
    std::string near;  // a word that looks like a move but is illegal
    ForEachWord(text, [&](const std::string& word) {
      const auto form = forms_.find(Lower(word));
      if (form != forms_.end()) last = form->second;
      const size_t sign = word.find_first_of("-x");
      if (sign != std::string::npos && state_.IsCell(word.substr(0, sign))) near = word;
    });
    if (last) return Answer{.move = *last};
    if (SaysResign(text)) return Answer{.kind = Answer::Kind::kResign};
    if (SaysClaim(text)) return Claim();
    if (near.empty()) return Wrong("there is no legal move in your answer");
    return Illegal(near, state_.FindMove(moves_, near).status());
  }

 private:
  // Removes punctuation around a move.
  static std::string_view Bare(std::string_view text) {
    constexpr std::string_view kAround = " \t\r\n`'\"*_.,;!?";
    const size_t begin = text.find_first_not_of(kAround);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kAround) - begin + 1);
  }

  // Calls `f` for the words that could be a move, without suffixes such as "+".
  template <class F>
  static void ForEachWord(std::string_view text, F f) {
    const auto is_of_word = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '=';
    };
    while (!text.empty()) {
      const auto begin = std::find_if(text.begin(), text.end(), is_of_word);
      const auto end = std::find_if_not(begin, text.end(), is_of_word);
      if (begin != end) f(std::string(begin, end));
      text.remove_prefix(static_cast<size_t>(end - text.begin()));
    }
  }

  absl::StatusOr<Answer> Claim() const {
    const bool can_claim =
        state_.Visit([](const auto& state) { return state.claimable().has_value(); });
    if (can_claim) return Answer{.kind = Answer::Kind::kClaimDraw};
    return Wrong("there is no draw to claim");
  }

  absl::Status Illegal(std::string_view written, const absl::Status& why) const {
    return Wrong(
        ToNotation(notation_, Quote(written) + " is not legal: " + std::string(why.message())));
  }

  const AnyState& state_;
  const AnyState::Moves& moves_;
  const Notation notation_;
  std::map<std::string, size_t, std::less<>> forms_;  // the legal moves, in lower case
};

}  // namespace

absl::StatusOr<Answer> ReadAnswer(std::string_view text, const AnyState& state,
                                  const AnyState::Moves& moves, Notation notation) {
  if (text.size() > kBytesMax) text.remove_prefix(text.size() - kBytesMax);
  text = WithoutThoughts(text);
  if (Trim(text).empty()) return Wrong("your answer is empty");
  const AnswerReader reader(state, moves, notation);
  if (const std::optional<Json> move = FindJsonMove(text)) return reader.ReadJson(*move);
  return reader.ReadText(text);
}

}  // namespace triarch::llm
