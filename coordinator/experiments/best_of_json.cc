// Renders a search for the best variant as JSON.

#include <string>

#include "coordinator/experiments/best_of_text.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using Json = nlohmann::ordered_json;

const std::string& NameOfBot(const TournamentSpec& spec, int bot) {
  return spec.bots[static_cast<size_t>(bot)].name;
}

Json VariantJson(const TournamentSpec& spec, const VariantResult& variant) {
  return {{"name", NameOfBot(spec, variant.bot)},
          {"state", std::string(ToString(variant.state))},
          {"units", variant.units},
          {"games", variant.games},
          {"llr", variant.llr},
          {"elo", variant.elo ? Json(variant.elo->value) : Json(nullptr)},
          {"elo_error", variant.elo ? Json(variant.elo->error) : Json(nullptr)},
          {"faults",
           {{"time_forfeit", variant.faults.time_forfeit},
            {"illegal_move", variant.faults.illegal_move},
            {"crash", variant.faults.crash}}}};
}

}  // namespace

std::string BestOfJson(const TournamentSpec& spec, const BestOf& best_of) {
  const BestOfSpec& asked = *spec.best_of;
  Json json = {{"verdict", std::string(ToString(best_of.verdict()))},
               {"text", BestOfVerdict(spec, best_of)},
               {"base", NameOfBot(spec, best_of.base().bot)},
               {"best", best_of.best() ? Json(NameOfBot(spec, *best_of.best())) : Json(nullptr)},
               {"games", best_of.games()},
               {"left", best_of.left()},
               {"llr_low", best_of.bounds().lower},
               {"llr_high", best_of.bounds().upper},
               {"hypotheses", asked.elo},
               {"alpha", asked.alpha},
               {"beta", asked.beta}};
  json["variants"] = Json::array();
  for (const VariantResult& variant : best_of.Variants()) {
    json["variants"].push_back(VariantJson(spec, variant));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace triarch::experiments
