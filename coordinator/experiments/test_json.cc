// Renders a sequential test as JSON.

#include <string>

#include "coordinator/experiments/test_text.h"
#include "core/record/spec_words.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json SideJson(const TournamentSpec& spec, const TestSide& side) {
  return {{"name", spec.bots[static_cast<size_t>(side.bot)].name},
          {"games", side.games},
          {"points", side.points},
          {"firsts", side.firsts},
          {"lasts", side.lasts},
          {"points_per_game", side.points_per_game.value},
          {"points_error", side.points_per_game.error},
          {"faults",
           {{"time_forfeit", side.faults.time_forfeit},
            {"illegal_move", side.faults.illegal_move},
            {"crash", side.faults.crash}}}};
}

}  // namespace

std::string TestJson(const TournamentSpec& spec, const SequentialTest& test) {
  const TestState state = test.State();
  const TestDetails details = test.Details();
  const TestSpec& asked = test.test();
  Json json = {{"verdict", std::string(ToString(state.verdict))},
               {"text", VerdictText(spec, test)},
               {"units", state.units},
               {"games", state.games},
               {"games_left", state.games_left ? Json(*state.games_left) : Json(nullptr)},
               {"llr", state.llr},
               {"llr_low", state.bounds.lower},
               {"llr_high", state.bounds.upper},
               {"elo", state.elo ? Json(state.elo->value) : Json(nullptr)},
               {"elo_low", state.elo ? Json(state.elo->low) : Json(nullptr)},
               {"elo_high", state.elo ? Json(state.elo->high) : Json(nullptr)},
               {"adjusted", state.is_adjusted},
               {"hypotheses", asked.bounds()},
               {"normalized", asked.is_normalized()},
               {"alpha", asked.alpha},
               {"beta", asked.beta},
               {"field", std::string(kTestFieldWords[static_cast<size_t>(asked.field)])},
               {"score", std::string(kTestScoreWords[static_cast<size_t>(asked.score)])},
               {"bins", details.bins},
               {"halves_z", details.halves_z ? Json(*details.halves_z) : Json(nullptr)}};
  json["sides"] = Json::array();
  for (const TestSide& side : details.sides) json["sides"].push_back(SideJson(spec, side));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace triarch::experiments
