#include "cli/tournament/view_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace triarch {
namespace {

constexpr size_t kManyPlies = 10;

// What follows "\x1b[" or "\x1bO".
constexpr std::array<std::pair<std::string_view, Key>, 18> kSequences = {{
    {"A", kKeyUp},
    {"B", kKeyDown},
    {"C", kKeyRight},
    {"D", kKeyLeft},
    {"H", kKeyHome},
    {"F", kKeyEnd},
    {"1~", kKeyHome},
    {"4~", kKeyEnd},
    {"7~", kKeyHome},
    {"8~", kKeyEnd},
    {"5~", kKeyPageUp},
    {"6~", kKeyPageDown},
    {"1;2A", kKeyShiftUp},
    {"1;2B", kKeyShiftDown},
    {"a", kKeyShiftUp},
    {"b", kKeyShiftDown},
    {"1;2C", kKeyShiftRight},
    {"1;2D", kKeyShiftLeft},
}};

Key KeyOf(std::string_view sequence) {
  for (const auto& [text, key] : kSequences) {
    if (text == sequence) return key;
  }
  return kKeyUnknown;
}

bool IsCapture(const GameStep& step) { return step.is_capture(); }
bool IsCheck(const GameStep& step) { return step.event.is_check || step.event.is_elimination; }
bool IsFault(const GameStep& step) { return step.is_fault(); }
bool IsSwing(const GameStep& step) { return step.swing >= kSwingPoints; }

// What the user can jump to.
struct Jump {
  char key;
  std::string_view name;
  bool (*is_there)(const GameStep& step);
};
constexpr std::array<Jump, 4> kJumps = {{
    {'c', "capture", IsCapture},
    {'k', "check", IsCheck},
    {'f', "fault", IsFault},
    {'s', "swing", IsSwing},
}};

void JumpTo(const GameSteps& game, const Jump& jump, bool is_backwards, ViewState* view) {
  const size_t count = game.steps.size();
  for (size_t step = view->step; is_backwards ? step > 1 : step < count;) {
    is_backwards ? --step : ++step;
    if (!jump.is_there(game.steps[step - 1])) continue;
    view->step = step;
    return;
  }
  view->note = std::string(is_backwards ? "no earlier " : "no later ") + std::string(jump.name);
}

// Returns whether the key is that of a jump.
bool PressJump(int key, const GameSteps& game, ViewState* view) {
  if (key == '+') key = 'k';
  if (key < 0 || key > 127) return false;
  for (const Jump& jump : kJumps) {
    if (std::tolower(key) != jump.key) continue;
    JumpTo(game, jump, std::isupper(key) != 0, view);
    return true;
  }
  return false;
}

// Returns the step to which a key leads.
size_t StepAfter(int key, size_t step, size_t last) {
  switch (key) {
    case kKeyLeft:
      return step - std::min<size_t>(step, 1);
    case kKeyRight:
    case ' ':
      return std::min(step + 1, last);
    case kKeyUp:
    case kKeyPageUp:
      return step - std::min(step, kManyPlies);
    case kKeyDown:
    case kKeyPageDown:
      return std::min(step + kManyPlies, last);
    case kKeyHome:
      return 0;
    case kKeyEnd:
      return last;
    default:
      return step;
  }
}

void Pan(int key, ViewState* view) {
  constexpr int kColumns = 8;
  constexpr int kLines = 4;
  if (key == kKeyShiftLeft) view->pan_columns -= kColumns;
  if (key == kKeyShiftRight) view->pan_columns += kColumns;
  if (key == kKeyShiftUp) view->pan_lines -= kLines;
  if (key == kKeyShiftDown) view->pan_lines += kLines;
}

}  // namespace

std::optional<int> KeyReader::Next() {
  if (rest_.empty()) return std::nullopt;
  if (rest_[0] != '\x1b') {
    const int key = static_cast<unsigned char>(rest_[0]);
    rest_.erase(0, 1);
    return key;
  }
  if (rest_.size() < 2) return std::nullopt;
  if (rest_[1] != '[' && rest_[1] != 'O') {
    rest_.erase(0, 1);
    return kKeyUnknown;
  }
  const size_t end = rest_.find_first_not_of("0123456789;", 2);
  if (end == std::string::npos) return std::nullopt;
  const Key key = KeyOf(std::string_view(rest_).substr(2, end - 1));
  rest_.erase(0, end + 1);
  return key;
}

bool Press(int key, const GameSteps& game, ViewState* view) {
  view->note.clear();
  if (view->is_help) {
    view->is_help = false;
    return key != 'q';
  }
  const size_t before = view->step;
  if (key == 'q') return false;
  if (key == '?') view->is_help = true;
  if (key == 'b') view->is_board_only = !view->is_board_only;
  Pan(key, view);
  if (!PressJump(key, game, view)) view->step = StepAfter(key, view->step, game.steps.size());
  if (view->step != before || key == 'b') view->pan_columns = view->pan_lines = 0;
  return true;
}

}  // namespace triarch
