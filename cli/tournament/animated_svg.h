// Combines pictures into one animated SVG.

#ifndef TRIARCH_CLI_TOURNAMENT_ANIMATED_SVG_H_
#define TRIARCH_CLI_TOURNAMENT_ANIMATED_SVG_H_

#include <chrono>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace triarch {

// Shows pictures one after the other, again and again. What several pictures have in common, such
// as the board, is in the file once. Uses SMIL, which browsers play, also in an <img>.
class AnimatedSvg {
 public:
  // Adds a picture as AnyState::ToSvg draws it. All must have the same size.
  void AddFrame(std::string_view svg);
  // Returns the file. The last frame stays three times as long as the others. Requires: a frame.
  std::string Text(std::chrono::milliseconds per_frame) const;

 private:
  // A child of the root, and the frames that show it: ascending ranges [first, end).
  struct Element {
    std::string text;
    std::vector<std::pair<size_t, size_t>> shown;
  };

  std::string head_;             // the first picture's start of the root
  std::list<Element> elements_;  // in the order in which they are drawn
  std::unordered_map<std::string, std::list<Element>::iterator> by_text_;
  size_t frames_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_ANIMATED_SVG_H_
