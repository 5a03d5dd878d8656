#include "core/record/spec_words.h"

#include <array>
#include <utility>

namespace triarch {
namespace {

constexpr std::array<std::pair<Format, std::string_view>, 2> kFormatWords = {
    {{Format::kRoundRobin, "round_robin"}, {Format::kGauntlet, "gauntlet"}}};
constexpr std::array<std::pair<Draws, std::string_view>, 2> kDrawsWords = {
    {{Draws::kAutomatic, "automatic"}, {Draws::kClaimed, "claimed"}}};
constexpr std::array<std::pair<bool, std::string_view>, 2> kOnOffWords = {
    {{true, "on"}, {false, "off"}}};

template <class Words, class T>
std::string_view WordOf(const Words& words, T value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return {};
}

template <class T, size_t n>
std::optional<T> ValueOf(const std::array<std::pair<T, std::string_view>, n>& words,
                         std::string_view text) {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view ToString(Format format) { return WordOf(kFormatWords, format); }
std::string_view ToString(Draws draws) { return WordOf(kDrawsWords, draws); }
std::optional<Format> ParseFormat(std::string_view word) { return ValueOf(kFormatWords, word); }
std::optional<Draws> ParseDraws(std::string_view word) { return ValueOf(kDrawsWords, word); }
std::string_view OnOff(bool is_on) { return WordOf(kOnOffWords, is_on); }
std::optional<bool> ParseOnOff(std::string_view word) { return ValueOf(kOnOffWords, word); }

}  // namespace triarch
