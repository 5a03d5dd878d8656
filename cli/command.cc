#include "cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "spec/suggestion.h"

namespace triarch {
namespace {

// Shows defaults and requirements in words, after the description.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
    column_width(26);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const bool is_list = option->get_expected_max() == CLI::detail::expected_max_vector_size;
    const std::string& value = option->get_type_name();
    return (value.empty() ? "" : " " + value) + (is_list ? " ..." : "");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string text = option->get_description();
    const std::string value = option->get_default_str();
    if (option->get_required()) return text + " (required)";
    return value.empty() ? text : text + " (default: " + value + ")";
  }
};

// The words that complete an option's value are the name of a validator, joined by this.
constexpr char kWordSeparator = '|';

std::string JoinedWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

// Returns the words of an option: its choices, or those of a placeholder such as "on|off".
std::vector<std::string> WordsOf(CLI::Option* option) {
  std::string text = option->get_type_name();
  if (text.find_first_of("[]=:") != std::string::npos) text.clear();
  try {
    text = option->get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {  // it has none
  }
  if (text.find(kWordSeparator) == std::string::npos) return {};
  std::vector<std::string> words;
  for (const std::string_view word : Split(text, kWordSeparator)) words.emplace_back(word);
  return words;
}

OptionNode NodeOf(CLI::Option* option, const CLI::Formatter& formatter) {
  OptionNode node = {.value = option->get_type_size() == 0 ? "" : option->get_type_name(),
                     .help = formatter.make_option_desc(option),
                     .group = option->get_group(),
                     .words = WordsOf(option),
                     .is_list = option->get_expected_max() == CLI::detail::expected_max_vector_size,
                     .is_required = option->get_required()};
  for (const std::string& name : option->get_snames()) node.names.push_back("-" + name);
  for (const std::string& name : option->get_lnames()) node.names.push_back("--" + name);
  if (option->get_positional()) node.value = option->get_name(true);
  return node;
}

CommandNode NodeOf(CLI::App* app, const CLI::Formatter& formatter) {
  CommandNode node = {
      .name = app->get_name(), .help = app->get_description(), .footer = app->get_footer()};
  for (CLI::Option* const option : app->get_options()) {
    node.options.push_back(NodeOf(option, formatter));
  }
  for (CLI::App* const command : app->get_subcommands(nullptr)) {
    node.commands.push_back(NodeOf(command, formatter));
  }
  return node;
}

// Returns "a", "a or b" or "a, b or c".
std::string AnyOf(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

template <class T>
absl::Status ReadNumber(const std::optional<T>& number, T min, T max, const std::string& text,
                        T* value) {
  if (number && *number >= min && *number <= max) {
    *value = *number;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("expected a whole number from %d to %d, not %s", min, max, Quote(text)));
}

// Parses into a value that may be absent.
template <class T, class Read>
Command::Reader IntoOptional(std::optional<T>* value, Read read) {
  return [value, read](const std::string& text) -> absl::Status {
    T read_value{};
    const absl::Status status = read(text, &read_value);
    if (status.ok()) *value = std::move(read_value);
    return status;
  };
}

absl::Status ReadFileName(const std::string& text, std::string* value) {
  if (text.empty()) return absl::InvalidArgumentError("expected the name of a file");
  *value = text;
  return absl::OkStatus();
}

auto WithinBounds(FlagBounds bounds) {
  return [bounds](const std::string& text, int64_t* value) {
    return ReadNumber(ParseInt64(text), bounds.min, bounds.max, text, value);
  };
}

absl::Status ReadSeed(const std::string& text, uint64_t* value) {
  return ReadNumber(ParseUint64(text), uint64_t{0}, UINT64_MAX, text, value);
}

// Formats "200MB".
std::string SizeText(int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; bytes > 0 && bytes % 1000 == 0 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return std::to_string(bytes) + kUnits[unit];
}

// Parses "1000", "200MB" or "1GiB", with an optional space before the unit.
std::optional<int64_t> ParseSize(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<int64_t> number = ParseInt64(text.substr(0, digits));
  const std::string unit = absl::AsciiStrToLower(std::string(Trim(text.substr(digits))));
  std::string_view rest = unit;
  if (rest.ends_with('b')) rest.remove_suffix(1);
  int64_t base = 1000;
  if (rest.size() == 2 && rest.ends_with('i')) {
    base = 1024;
    rest.remove_suffix(1);
  }
  const size_t power = rest.empty() ? 0 : std::string_view("kmgtp").find(rest) + 1;
  if (!number || rest.size() > 1 || (!rest.empty() && power == 0)) return std::nullopt;
  int64_t size = *number;
  for (size_t i = 0; i < power; ++i) {
    if (size > INT64_MAX / base) return std::nullopt;
    size *= base;
  }
  return size;
}

absl::Status ReadSize(const std::string& text, FlagBounds bounds, int64_t* value) {
  const std::optional<int64_t> size = ParseSize(text);
  if (size && *size >= bounds.min && *size <= bounds.max) {
    *value = *size;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat("expected a size from %s to %s, not %s",
                                                    SizeText(bounds.min), SizeText(bounds.max),
                                                    Quote(text)));
}

// Returns "; did you mean "run"?" for a word that resembles one of these, or "".
std::string Meant(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view nearest = NearestOf(word, views);
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands(nullptr)) names.push_back(one->get_name());
  return names;
}

// Lists the expected commands if a required one is missing. Returns "" if that is not the error.
std::string MissingCommand(const CLI::App& command) {
  const std::vector<std::string> names = CommandNames(command);
  if (names.empty() || !command.get_subcommands().empty()) return "";
  const std::vector<std::string> given = command.remaining();
  return "expected " + AnyOf(names) + (given.empty() ? "" : ", not " + Quote(given[0]));
}

// Returns the names of a command's options, as "--seed", and subcommands.
std::vector<std::string> NamesIn(const CLI::App& command) {
  std::vector<std::string> names = CommandNames(command);
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

template <class Error>
bool Is(const CLI::ParseError& error) {
  return dynamic_cast<const Error*>(&error) != nullptr;
}

// Returns whether the word is a file and the command takes one as --db.
bool IsMeantAsDb(const std::vector<std::string>& names, const std::string& word) {
  std::error_code error;
  return std::find(names.begin(), names.end(), "--db") != names.end() &&
         std::filesystem::is_regular_file(word, error);
}

std::string Unexpected(const CLI::App& command, const std::string& word) {
  const std::vector<std::string> names = NamesIn(command);
  if (IsMeantAsDb(names, word)) {
    return "unexpected argument " + Quote(word) + "; did you mean --db " + word + "?";
  }
  return "unexpected argument " + Quote(word) + Meant(word.substr(0, word.find('=')), names);
}

// Describes the parser's error about a command's options in our own words.
std::string ErrorText(const CLI::App& command, const CLI::ParseError& error) {
  // What follows an unknown option was taken for an argument, so its error would mislead.
  for (const std::string& word : command.remaining()) {
    if (word.size() > 1 && word[0] == '-' && !IsDigit(word[1])) return Unexpected(command, word);
  }
  const std::string text = error.what();
  if (Is<CLI::RequiredError>(error)) {
    const std::vector<std::string> rest = command.remaining();
    if (!rest.empty() && IsMeantAsDb(NamesIn(command), rest.front())) {
      return Unexpected(command, rest.front());
    }
    const std::string missing = MissingCommand(command);
    return missing.empty() ? text : missing;
  }
  if (Is<CLI::ExtrasError>(error)) {
    return Unexpected(command, command.remaining().front());
  }
  const std::string option = text.substr(0, text.find(": "));
  if (!Is<CLI::ArgumentMismatch>(error)) return text;
  return option + (text.find("At Most") != text.npos ? ": given twice" : ": expected a value");
}

int UnknownCommand(const CLI::App& app, const std::string& word) {
  return UsageError("unknown command or option: " + Quote(word) + Meant(word, CommandNames(app)) +
                    " (see triarch --help)");
}

int ReportParseError(const CLI::App& app, const CLI::ParseError& error, int argc,
                     const char* const* argv) {
  // A word that the program itself could not use came before the command.
  if (!app.remaining().empty()) return UnknownCommand(app, app.remaining().front());
  // The innermost command, because `bots add` has its own help; or the one with such a word.
  const CLI::App* command = nullptr;
  std::string name;
  for (auto given = app.get_subcommands(); !given.empty(); given = command->get_subcommands()) {
    command = given[0];
    name += (name.empty() ? "" : " ") + command->get_name();
    if (!command->remaining().empty()) break;
  }
  if (command != nullptr) {
    return UsageError(name + ": " + ErrorText(*command, error) + " (see triarch " + name +
                      " --help)");
  }
  if (argc < 2) return UsageError("expected a command (see triarch --help)");
  return UnknownCommand(app, argv[1]);
}

}  // namespace

CommandOption CommandOption::Required() const {
  option_->required();
  return *this;
}

CommandOption CommandOption::Excludes(CommandOption other) const {
  option_->excludes(other.option_);
  return *this;
}

CommandOption CommandOption::Needs(CommandOption other) const {
  option_->needs(other.option_);
  return *this;
}

CommandOption CommandOption::Completes(const std::vector<std::string>& words) const {
  option_->check([](const std::string&) { return std::string(); }, "", JoinedWords(words));
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& help) const {
  CLI::App* const command = app_->add_subcommand(name, help);
  command->group(group_);
  return Command(command, exit_code_, "Commands");
}

void Command::RequireCommand() const { app_->require_subcommand(1); }

void Command::Footer(const std::string& text) const { app_->footer(text); }

CommandOption Command::Add(const OptionText& text, Reader read) const {
  const std::string name = text.name;
  const auto take = [name, read = std::move(read)](const std::string& given) {
    const absl::Status status = read(given);
    if (!status.ok()) throw CLI::ValidationError(name, std::string(status.message()));
  };
  CLI::Option* const option = app_->add_option_function<std::string>(name, take, text.help);
  option->type_name(text.value);
  if (!text.group.empty()) option->group(text.group);
  return CommandOption(option);
}

CommandOption Command::AddFlag(const OptionText& text, bool* value) const {
  return CommandOption(app_->add_flag(text.name, *value, text.help));
}

CommandOption Command::AddText(const OptionText& text, std::string* value) const {
  CLI::Option* const option = app_->add_option(text.name, *value, text.help);
  option->type_name(text.value)->default_str(*value);
  return CommandOption(option);
}

CommandOption Command::AddText(const OptionText& text, std::optional<std::string>* value) const {
  return Add(text, [value](const std::string& given) {
    *value = given;
    return absl::OkStatus();
  });
}

CommandOption Command::AddText(const OptionText& text, std::vector<std::string>* values) const {
  return CommandOption(app_->add_option(text.name, *values, text.help)->type_name(text.value));
}

CommandOption Command::AddFile(const OptionText& text, std::string* value) const {
  return Add(text, [value](const std::string& given) { return ReadFileName(given, value); });
}

CommandOption Command::AddFile(const OptionText& text, std::optional<std::string>* value) const {
  return Add(text, IntoOptional(value, ReadFileName));
}

CommandOption Command::AddChoice(const OptionText& text, const std::vector<std::string>& choices,
                                 std::string* value) const {
  const CommandOption option = AddText(text, value);
  const auto check = [choices](const std::string& given) -> std::string {
    for (const std::string& choice : choices) {
      if (given == choice) return "";
    }
    return "expected " + AnyOf(choices) + ", not " + Quote(given);
  };
  app_->get_option(text.name)->check(check, "", JoinedWords(choices));
  return option;
}

CommandOption Command::AddNumber(const OptionText& text, FlagBounds bounds, int64_t* value) const {
  const CommandOption option =
      Add(text, [read = WithinBounds(bounds), value](const std::string& given) {
        return read(given, value);
      });
  app_->get_option(text.name)->default_str(std::to_string(*value));
  return option;
}

CommandOption Command::AddNumber(const OptionText& text, FlagBounds bounds,
                                 std::optional<int64_t>* value) const {
  return Add(text, IntoOptional(value, WithinBounds(bounds)));
}

CommandOption Command::AddNumber(const OptionText& text, uint64_t* value) const {
  const CommandOption option =
      Add(text, [value](const std::string& given) { return ReadSeed(given, value); });
  app_->get_option(text.name)->default_str(std::to_string(*value));
  return option;
}

CommandOption Command::AddNumber(const OptionText& text, std::optional<uint64_t>* value) const {
  return Add(text, IntoOptional(value, ReadSeed));
}

CommandOption Command::AddSize(const OptionText& text, FlagBounds bounds, int64_t* value) const {
  const CommandOption option = Add(
      text, [bounds, value](const std::string& given) { return ReadSize(given, bounds, value); });
  app_->get_option(text.name)->default_str(SizeText(*value));
  return option;
}

void Command::OnRun(std::function<int()> run) const {
  CLI::App* const app = app_;
  app->callback([app, exit_code = exit_code_, run = std::move(run)] {
    if (app->get_subcommands().empty()) *exit_code = run();
  });
}

CommandLine::CommandLine(const About& about)
    : app_(std::make_unique<CLI::App>(about.description, about.name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->set_version_flag("--version", about.version, "Print the version and what was built in");
  app_->require_subcommand(1);
  app_->footer(about.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Group(const std::string& title) {
  return Command(app_.get(), &exit_code_, title);
}

CommandNode CommandLine::Tree() const { return NodeOf(app_.get(), HelpFormatter()); }

int CommandLine::Run(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == kHelpWord) {
    words.erase(words.begin() + 1);
    const std::vector<std::string> names = CommandNames(*app_);
    const bool is_known =
        argc < 3 || std::find(names.begin(), names.end(), words[1]) != names.end();
    if (!is_known) return UnknownCommand(*app_, words[1]);
    words.push_back("--help");
  }
  try {
    app_->parse(argc, words.data());
  } catch (const CLI::Success& help_or_version) {
    app_->exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return ReportParseError(*app_, error, argc, words.data());
  }
  return exit_code_;
}

}  // namespace triarch
