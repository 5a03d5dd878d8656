#include "spec/tuned_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_limits.h"

namespace triarch {
namespace {

using TunedDraft = TournamentDraft::TunedDraft;
using PlacedNumber = std::optional<TournamentDraft::Placed<double>>;

constexpr std::array<std::string_view, 5> kTunedKeys = {"min", "max", "step", "start", "type"};
constexpr std::array<std::string_view, 2> kTypeWords = {"number", "integer"};
constexpr std::string_view kOptionFlag = "--option: ";

absl::Status ErrorHere(std::string_view where, std::string_view message) {
  return absl::InvalidArgumentError(absl::StrFormat("%s%s", where, message));
}

// ---- Files.

absl::Status ReadNumber(const YamlMap& map, std::string_view key, PlacedNumber* number) {
  const YAML::Node* const node = map.Find(key);
  if (node == nullptr) return absl::OkStatus();
  const std::optional<double> value =
      node->IsScalar() ? ParseDouble(node->Scalar()) : std::optional<double>();
  if (!value) {
    return map.ErrorAt(key,
                       absl::StrFormat("%s is %s; expected a number", map.Path(key),
                                       node->IsScalar() ? Quote(node->Scalar()) : KindOf(*node)));
  }
  *number = {*value, map.Where(key)};
  return absl::OkStatus();
}

absl::Status ReadType(const YamlMap& map, TunedDraft* draft) {
  if (map.Find("type") == nullptr) return absl::OkStatus();
  std::string word;
  RETURN_IF_ERROR(map.ReadText("type", &word));
  const auto type = std::find(kTypeWords.begin(), kTypeWords.end(), word);
  if (type == kTypeWords.end()) {
    return map.ErrorAt("type", absl::StrFormat("%s is %s; expected integer or number",
                                               map.Path("type"), Quote(word)));
  }
  draft->is_integer = *type == "integer";
  return absl::OkStatus();
}

absl::StatusOr<TunedDraft> ReadTunedOption(const YamlSource& source, const std::string& name,
                                           const YamlMap::Entry& entry) {
  TunedDraft draft = {.name = name, .where = source.Where(entry.key_mark)};
  if (entry.value.IsNull()) return draft;  // the bot declares everything
  ASSIGN_OR_RETURN(const YamlMap map,
                   YamlMap::Make(source, entry.value, "tune.options." + name, kTunedKeys));
  RETURN_IF_ERROR(ReadNumber(map, "min", &draft.min));
  RETURN_IF_ERROR(ReadNumber(map, "max", &draft.max));
  RETURN_IF_ERROR(ReadNumber(map, "step", &draft.step));
  RETURN_IF_ERROR(ReadNumber(map, "start", &draft.start));
  RETURN_IF_ERROR(ReadType(map, &draft));
  return draft;
}

// ---- Completing and checking.

class TunedOptionResolver {
 public:
  TunedOptionResolver(const TunedDraft& draft, std::string_view game, const BotSpec& bot,
                      const TournamentHooks& hooks)
      : draft_(draft), game_(game), bot_(bot), hooks_(hooks) {}

  absl::StatusOr<TunedOption> Resolve() {
    option_.name = draft_.name;
    if (FindBotLimit(bot_, draft_.name) != nullptr) {
      return Error(absl::StrFormat("%s is a limit of the match; expected an option of the bot",
                                   draft_.name));
    }
    absl::StatusOr<DeclaredOption> declared = hooks_.declared_option(game_, bot_, draft_.name);
    if (!declared.ok()) return Error(Message(declared.status()));
    declared_ = *declared;
    option_.is_integer = draft_.is_integer.value_or(declared_.is_integer);
    RETURN_IF_ERROR(SetBounds());
    RETURN_IF_ERROR(SetStart());
    RETURN_IF_ERROR(SetStep());
    RETURN_IF_ERROR(CheckWithBot());
    return std::move(option_);
  }

 private:
  absl::Status Error(std::string_view message) const { return ErrorHere(draft_.where, message); }
  absl::Status ErrorAt(const PlacedNumber& number, std::string_view message) const {
    return ErrorHere(number ? number->where : draft_.where, message);
  }

  absl::Status SetBounds();
  absl::Status SetStart();
  absl::Status SetStep();
  // Checks that the values that the bot plays are the ones that the tuning knows.
  absl::Status CheckExact(std::string_view what, const PlacedNumber& given, double value) const;
  absl::Status CheckWithBot() const;
  absl::Status TryValue(const PlacedNumber& given, double value) const;

  const TunedDraft& draft_;
  const std::string_view game_;
  const BotSpec& bot_;
  const TournamentHooks& hooks_;
  DeclaredOption declared_;
  TunedOption option_;
};

absl::Status TunedOptionResolver::CheckExact(std::string_view what, const PlacedNumber& given,
                                             double value) const {
  if (ParseDouble(TunedValueText(option_, value)) == value) return absl::OkStatus();
  return ErrorAt(
      given, absl::StrFormat("%s of %s is %.15g; expected %s", what, option_.name, value,
                             option_.is_integer ? "a whole number"
                                                : "a number with at most six significant digits"));
}

absl::Status TunedOptionResolver::SetBounds() {
  if ((!draft_.min && !declared_.min) || (!draft_.max && !declared_.max)) {
    return Error(absl::StrFormat(
        "%s needs bounds, because the bot declares none; expected min and max, as in %s=0..1",
        option_.name, option_.name));
  }
  option_.min = draft_.min ? draft_.min->value : *declared_.min;
  option_.max = draft_.max ? draft_.max->value : *declared_.max;
  RETURN_IF_ERROR(CheckExact("min", draft_.min, option_.min));
  RETURN_IF_ERROR(CheckExact("max", draft_.max, option_.max));
  if (option_.min < option_.max) return absl::OkStatus();
  return ErrorAt(draft_.max ? draft_.max : draft_.min,
                 absl::StrFormat("%s has the bounds %g and %g; expected min below max",
                                 option_.name, option_.min, option_.max));
}

absl::Status TunedOptionResolver::SetStart() {
  const auto own = bot_.options.find(option_.name);
  std::optional<double> start = declared_.default_value;
  if (own != bot_.options.end()) start = ParseDouble(own->second);
  if (draft_.start) start = draft_.start->value;
  if (!start) {
    return Error(absl::StrFormat(
        "%s has no default; expected start, or a value among the bot's options", option_.name));
  }
  option_.start = *start;
  RETURN_IF_ERROR(CheckExact("start", draft_.start, option_.start));
  if (option_.min <= option_.start && option_.start <= option_.max) return absl::OkStatus();
  return ErrorAt(draft_.start,
                 absl::StrFormat("%s starts at %g; expected a start from %g to %g", option_.name,
                                 option_.start, option_.min, option_.max));
}

absl::Status TunedOptionResolver::SetStep() {
  const double range = option_.max - option_.min;
  option_.step = range / 20;
  if (option_.is_integer) option_.step = std::max(1.0, option_.step);
  if (draft_.step) option_.step = draft_.step->value;
  if (option_.step > 0 && option_.step <= range) return absl::OkStatus();
  return ErrorAt(draft_.step,
                 absl::StrFormat("the step of %s is %g; expected a number above 0, at most %g",
                                 option_.name, option_.step, range));
}

absl::Status TunedOptionResolver::CheckWithBot() const {
  RETURN_IF_ERROR(TryValue(draft_.min, option_.min));
  RETURN_IF_ERROR(TryValue(draft_.max, option_.max));
  RETURN_IF_ERROR(TryValue(draft_.start, option_.start));
  if (option_.is_integer) return absl::OkStatus();
  // A value that is no whole number, as most are that will be played.
  const double third = (option_.max - option_.min) / 3;
  const absl::Status status = TryValue({}, option_.min + third);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s; expected type: integer in a file, if only whole numbers are valid", Message(status)));
}

absl::Status TunedOptionResolver::TryValue(const PlacedNumber& given, double value) const {
  BotSpec bot = bot_;
  bot.options[option_.name] = TunedValueText(option_, value);
  const absl::Status status = hooks_.check_bot(game_, bot);
  if (status.ok()) return status;
  return ErrorAt(given, absl::StrFormat("the bot refuses %s=%s: %s", option_.name,
                                        bot.options[option_.name], Message(status)));
}

}  // namespace

absl::StatusOr<std::vector<TunedDraft>> ReadTunedOptions(const YamlSource& source,
                                                         const YAML::Node& node) {
  ASSIGN_OR_RETURN(const YamlMap map, YamlMap::Make(source, node, "tune.options", {}));
  std::vector<TunedDraft> drafts;
  for (const auto& [name, entry] : map.entries()) {
    ASSIGN_OR_RETURN(TunedDraft draft, ReadTunedOption(source, name, entry));
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

absl::StatusOr<TunedDraft> ParseTunedOption(std::string_view text) {
  const absl::Status wrong = ErrorHere(
      kOptionFlag, absl::StrFormat("%s does not say what to tune; expected NAME, NAME=MIN..MAX or "
                                   "NAME=MIN..MAX:STEP, as in risk=0..1:0.05",
                                   Quote(text)));
  const size_t equals = text.find('=');
  TunedDraft draft = {.name = std::string(text.substr(0, equals)),
                      .where = std::string(kOptionFlag)};
  if (draft.name.empty()) return wrong;
  if (equals == std::string_view::npos) return draft;
  const std::vector<std::string_view> parts = Split(text.substr(equals + 1), ':');
  const size_t dots = parts[0].find("..");
  if (parts.size() > 2 || dots == std::string_view::npos) return wrong;
  const std::optional<double> min = ParseDouble(parts[0].substr(0, dots));
  const std::optional<double> max = ParseDouble(parts[0].substr(dots + 2));
  if (!min || !max) return wrong;
  draft.min = {*min, draft.where};
  draft.max = {*max, draft.where};
  if (parts.size() == 1) return draft;
  const std::optional<double> step = ParseDouble(parts[1]);
  if (!step) return wrong;
  draft.step = {*step, draft.where};
  return draft;
}

absl::StatusOr<std::vector<TunedOption>> ResolveTunedOptions(const std::vector<TunedDraft>& drafts,
                                                             std::string_view game,
                                                             const BotSpec& bot,
                                                             const TournamentHooks& hooks) {
  std::vector<TunedOption> options;
  std::set<std::string_view> names;
  for (const TunedDraft& draft : drafts) {
    if (!names.insert(draft.name).second) {
      return ErrorHere(draft.where,
                       absl::StrFormat("%s is given twice; expected once", draft.name));
    }
    ASSIGN_OR_RETURN(TunedOption option, TunedOptionResolver(draft, game, bot, hooks).Resolve());
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace triarch
