#include "core/game/canvas.h"

#include <cstddef>

namespace triarch {
namespace {

std::string Escape(Ink ink) {
  std::string text = "\033[0";
  if (ink.is_bold) text += ";1";
  if (ink.foreground != kNoColor) text += absl::StrFormat(";38;5;%d", ink.foreground);
  if (ink.background != kNoColor) text += absl::StrFormat(";48;5;%d", ink.background);
  return text + "m";
}

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(width), height_(height), spots_(static_cast<size_t>(width * height)) {}

void Canvas::Set(int column, int line, std::string_view text, Ink ink) {
  if (column < 0 || column >= width_ || line < 0 || line >= height_) return;
  spots_[static_cast<size_t>(line * width_ + column)] = {std::string(text), ink};
}

void Canvas::Write(int column, int line, std::string_view text, Ink ink) {
  for (size_t i = 0; i < text.size(); ++i) {
    Set(column + static_cast<int>(i), line, text.substr(i, 1), ink);
  }
}

void Canvas::SetDots(int column, int line, int upper, int lower) {
  if (upper == kNoColor && lower == kNoColor) return;
  if (upper == kNoColor) {
    Set(column, line, "▄", {.foreground = lower});
  } else if (lower == kNoColor) {
    Set(column, line, "▀", {.foreground = upper});
  } else if (upper == lower) {
    Set(column, line, " ", {.background = upper});
  } else {
    Set(column, line, "▀", {upper, lower});
  }
}

std::string Canvas::ToText() const {
  std::string text;
  for (int line = 0; line < height_; ++line) {
    const auto begin = spots_.begin() + static_cast<std::ptrdiff_t>(line) * width_;
    auto end = begin + width_;
    while (end != begin && (end - 1)->is_blank()) --end;
    Ink ink;
    for (auto spot = begin; spot != end; ++spot) {
      if (spot->ink != ink) text += Escape(spot->ink);
      ink = spot->ink;
      text += spot->text;
    }
    if (ink != Ink{}) text += Escape({});
    text += '\n';
  }
  return text;
}

}  // namespace triarch
