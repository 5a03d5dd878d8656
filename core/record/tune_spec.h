// Describes the tuning of a bot's options.

#ifndef TRIARCH_CORE_RECORD_TUNE_SPEC_H_
#define TRIARCH_CORE_RECORD_TUNE_SPEC_H_

#include <array>
#include <string>
#include <vector>

namespace triarch {

// An option and the values that it may take.
struct TunedOption {
  std::string name;  // "risk"
  double start = 0;
  double min = 0;
  double max = 0;
  // The smallest change with a noticeable effect, about ½ to 2 Elo.
  double step = 0;
  bool is_integer = false;

  friend bool operator==(const TunedOption&, const TunedOption&) = default;
};

// Returns a value as the bot is given it: "3" or "0.712345", with at most six significant digits
// unless it is a whole number.
std::string TunedValueText(const TunedOption& option, double value);

// The tournament has two bots of one type, which differ only in their names: the copies of the
// tuned bot with the options plus and minus a perturbation. TournamentSpec::games is six games (two
// with two seats) for each iteration.
struct TuneSpec {
  std::vector<TunedOption> options;
  // How far the last iteration moves per unit of its result; 0 chooses by the number of games.
  double rate = 0;
  // The hypotheses of the test that confirms the result.
  std::array<double, 2> elo = {0, 5};
  // Not part of the tournament's identity: the file for a picture of the paths, if not empty.
  std::string svg = "";

  friend bool operator==(const TuneSpec&, const TuneSpec&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TUNE_SPEC_H_
