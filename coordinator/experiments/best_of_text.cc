#include "coordinator/experiments/best_of_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/elo_text.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/counted.h"

namespace triarch::experiments {
namespace {

const std::string& NameOf(const TournamentSpec& spec, int bot) {
  return spec.bots[static_cast<size_t>(bot)].name;
}

std::string_view StateText(VariantState state) {
  return state == VariantState::kDroppedOut ? "dropped out" : ToString(state);
}

std::string VariantTable(const TournamentSpec& spec, const BestOf& best_of) {
  std::vector<VariantResult> variants = best_of.Variants();
  std::stable_sort(variants.begin(), variants.end(),
                   [](const auto& a, const auto& b) { return a.llr > b.llr; });
  TextTable table;
  table.AddColumn("Variant", TextTable::Align::kLeft);
  for (const std::string_view heading : {"Games", "LLR", "Elo", "±95%", "Faults"}) {
    table.AddColumn(heading);
  }
  table.AddColumn("State", TextTable::Align::kLeft);
  for (const VariantResult& one : variants) {
    const double margin = one.elo ? one.elo->margin() : 0;
    table.AddRow({NameOf(spec, one.bot), std::to_string(one.games),
                  absl::StrFormat("%.2f", one.llr),
                  one.elo ? RoundedElo(one.elo->value, margin) : "",
                  one.elo ? absl::StrFormat("%.*f", margin < 5 ? 1 : 0, margin) : "",
                  std::to_string(one.faults.total()), std::string(StateText(one.state))});
  }
  const VariantResult& base = best_of.base();
  table.AddRow({NameOf(spec, base.bot), std::to_string(base.games), "", "", "",
                std::to_string(base.faults.total()), "base"});
  return table.Render(100, 0);
}

// Returns "any of the 8 variants", or the name of the only one.
std::string Variants(const TournamentSpec& spec, std::string_view which) {
  if (spec.bots.size() == 2) return NameOf(spec, 1);
  return absl::StrFormat("%s of the %d variants", which, spec.bots.size() - 1);
}

}  // namespace

std::string BestOfVerdict(const TournamentSpec& spec, const BestOf& best_of) {
  const std::string& base = NameOf(spec, best_of.base().bot);
  const auto& [low, high] = spec.best_of->elo;
  switch (best_of.verdict()) {
    case Verdict::kBetter:
      return absl::StrFormat("better: %s is %s than %s%s", NameOf(spec, *best_of.best()),
                             AtLeast(low, "Elo"), base,
                             spec.bots.size() == 2 ? "" : ", and the best variant so far");
    case Verdict::kNotShown:
      return absl::StrFormat("not shown: %s is %s than %s%s", Variants(spec, "each"),
                             AtMost(high, "Elo"), base, high <= 0 ? "" : ", if at all");
    case Verdict::kUndecided:
      return absl::StrFormat("undecided: the games do not show whether %s is %s than %s",
                             Variants(spec, "any"), AtLeast(low, "Elo"), base);
    case Verdict::kUnderWay:
      break;
  }
  return absl::StrFormat("under way: is %s %s than %s?", Variants(spec, "any"), AtLeast(low, "Elo"),
                         base);
}

std::string RenderBestOf(const TournamentSpec& spec, const BestOf& best_of) {
  const BestOfSpec& asked = *spec.best_of;
  const Bounds& bounds = best_of.bounds();
  std::string text = BestOfVerdict(spec, best_of) + "\n";
  text += absl::StrFormat(
      "  LLR    of each in [%.2f, %.2f], %g against %g Elo, alpha %g over all, beta %g\n",
      bounds.lower, bounds.upper, asked.elo[0], asked.elo[1], asked.alpha, asked.beta);
  text += absl::StrFormat("  Games  %d, %d of %s left\n\n", best_of.games(), best_of.left(),
                          Counted(spec.bots.size() - 1, "variant"));
  text += VariantTable(spec, best_of);
  text += "Elo is relative to the base, and not adjusted for looking.\n";
  if (!best_of.best() || spec.bots.size() == 2) return text;
  return text +
         "Another variant may be better still. Confirm a close call with `triarch test`, or "
         "search\n"
         "again with the winner as the base.\n";
}

}  // namespace triarch::experiments
