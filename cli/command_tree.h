// Describes a program's commands and options as data, for completion and the manual page.

#ifndef TRIARCH_CLI_COMMAND_TREE_H_
#define TRIARCH_CLI_COMMAND_TREE_H_

#include <string>
#include <vector>

namespace triarch {

struct OptionNode {
  std::vector<std::string> names = {};  // "-h", "--help"; empty for an argument
  std::string value = "";               // the placeholder of its value, "FILE"; empty for a flag
  std::string help = "";                // with the default
  std::string group = "";               // the heading above it in the help
  std::vector<std::string> words = {};  // the values to choose from; empty: any
  bool is_list = false;                 // an argument that may be repeated
  bool is_required = false;

  bool is_argument() const { return names.empty(); }
  // Returns whether it takes the path of a file or folder.
  bool is_path() const;
};

struct CommandNode {
  std::string name = "";
  std::string help = "";
  std::string footer = "";  // notes and examples
  std::vector<OptionNode> options = {};
  std::vector<CommandNode> commands = {};
};

// Stands for the names of files in the result of Complete.
inline constexpr const char* kCompleteFiles = ":files";

// The program's first argument when a completion script calls it.
inline constexpr const char* kCompleteWord = "__complete";

// `triarch help COMMAND` means `triarch COMMAND --help`.
inline constexpr const char* kHelpWord = "help";

// Returns the words that may stand in place of the last of `words`, which begin with it, or
// kCompleteFiles alone. `words` are the arguments after the program's name; the last may be empty.
std::vector<std::string> Complete(const CommandNode& program, std::vector<std::string> words);

// Returns a manual page in the language of man(7), for section 1.
std::string ManualPage(const CommandNode& program, const std::string& version);

}  // namespace triarch

#endif  // TRIARCH_CLI_COMMAND_TREE_H_
