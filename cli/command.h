// Declares commands, options and arguments, so that only command.cc includes CLI11.

#ifndef TRIARCH_CLI_COMMAND_H_
#define TRIARCH_CLI_COMMAND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cli/command_tree.h"
#include "cli/report.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace triarch {

// How the help shows an option or an argument.
struct OptionText {
  std::string name = "";   // "--svg", or "FILE" for an argument
  std::string value = "";  // the placeholder for an option's value, "N"; empty for arguments
  std::string help = "";
  std::string group = "";  // the heading above it in the help; empty for "Options"
};

// Inclusive bounds.
struct FlagBounds {
  int64_t min = 0;
  int64_t max = 0;
};

// An option or an argument of a command.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}
  CommandOption Required() const;
  // Makes the two options exclude each other.
  CommandOption Excludes(CommandOption other) const;
  // Makes this option valid only with the other.
  CommandOption Needs(CommandOption other) const;
  // Completes the values in shells; unlike AddChoice, does not check them.
  CommandOption Completes(const std::vector<std::string>& words) const;

 private:
  CLI::Option* option_;
};

// A command of the program, such as `triarch show`. It is a handle: copies refer to the same
// command.
//
//   void AddShowCommand(Command& app) {
//     auto options = std::make_shared<ShowOptions>();
//     Command command = app.AddCommand("show", "Draw a position.");
//     command.AddText({"--svg", "FILE", "Write a picture to FILE"}, &options->svg);
//     command.OnRun(options, RunShow);
//   }
//
// The targets of options must live as long as the program's command line; OnRun keeps `options`
// alive. A target that holds a value keeps it as the default, which the help shows.
class Command {
 public:
  // Takes a value; its error says what was expected.
  using Reader = std::function<absl::Status(const std::string&)>;

  Command(CLI::App* app, int* exit_code, std::string group)
      : app_(app), exit_code_(exit_code), group_(std::move(group)) {}

  Command AddCommand(const std::string& name, const std::string& help) const;
  // Makes one of this command's subcommands mandatory.
  void RequireCommand() const;
  // Adds notes and examples to the end of the help.
  void Footer(const std::string& text) const;

  CommandOption Add(const OptionText& text, Reader read) const;
  CommandOption AddFlag(const OptionText& text, bool* value) const;
  CommandOption AddText(const OptionText& text, std::string* value) const;
  CommandOption AddText(const OptionText& text, std::optional<std::string>* value) const;
  // To give a list, the user repeats the option or the argument.
  CommandOption AddText(const OptionText& text, std::vector<std::string>* values) const;
  // Takes a non-empty name.
  CommandOption AddFile(const OptionText& text, std::string* value) const;
  CommandOption AddFile(const OptionText& text, std::optional<std::string>* value) const;
  // Takes one of several words.
  CommandOption AddChoice(const OptionText& text, const std::vector<std::string>& choices,
                          std::string* value) const;
  // Takes a whole number.
  CommandOption AddNumber(const OptionText& text, FlagBounds bounds, int64_t* value) const;
  CommandOption AddNumber(const OptionText& text, FlagBounds bounds,
                          std::optional<int64_t>* value) const;
  CommandOption AddNumber(const OptionText& text, uint64_t* value) const;
  CommandOption AddNumber(const OptionText& text, std::optional<uint64_t>* value) const;
  // Takes a number of bytes, written as 200MB or 1GiB.
  CommandOption AddSize(const OptionText& text, FlagBounds bounds, int64_t* value) const;

  // Sets the function to run if this command was given without a subcommand. `run` reports its
  // errors (cli/report.h), throws nothing and returns the exit code.
  void OnRun(std::function<int()> run) const;
  template <class Options>
  void OnRun(std::shared_ptr<Options> options, int (*run)(const Options&)) const {
    OnRun([options, run] { return run(*options); });
  }

 private:
  CLI::App* app_;
  int* exit_code_;
  std::string group_;
};

// A program's command line: holds its commands, parses the arguments and runs the given command.
class CommandLine {
 public:
  struct About {
    std::string name;
    std::string description;
    std::function<std::string()> version;  // called only for --version
    std::string footer;
  };
  explicit CommandLine(const About& about);
  ~CommandLine();

  // Returns where to add commands that the help lists under `title`.
  Command Group(const std::string& title);

  // Returns all commands that were added.
  CommandNode Tree() const;

  // Prints the help, the version or an error, or runs a command. Returns the exit code.
  int Run(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = kExitDone;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_COMMAND_H_
