// Completes command lines.

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/command_tree.h"

namespace triarch {
namespace {

const OptionNode* FindOption(const CommandNode& command, const std::string& name) {
  for (const OptionNode& option : command.options) {
    if (std::count(option.names.begin(), option.names.end(), name) > 0) return &option;
  }
  return nullptr;
}

const CommandNode* FindCommand(const CommandNode& command, const std::string& name) {
  for (const CommandNode& one : command.commands) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// Returns the argument that the word after `count` others fills, or null.
const OptionNode* FindArgument(const CommandNode& command, size_t count) {
  for (const OptionNode& option : command.options) {
    if (!option.is_argument()) continue;
    if (count == 0 || option.is_list) return &option;
    --count;
  }
  return nullptr;
}

std::vector<std::string> ValuesOf(const OptionNode& option) {
  return option.is_path() ? std::vector<std::string>{kCompleteFiles} : option.words;
}

std::vector<std::string> OptionNames(const CommandNode& command) {
  std::vector<std::string> names;
  for (const OptionNode& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// Returns what may follow `words`, if the word begins with a hyphen or if not.
std::vector<std::string> Candidates(const CommandNode& program,
                                    const std::vector<std::string>& words, bool is_option) {
  const CommandNode* command = &program;
  const OptionNode* open = nullptr;  // an option whose value is next
  size_t arguments = 0;
  for (const std::string& word : words) {
    if (open != nullptr) {
      open = nullptr;
    } else if (word.starts_with('-')) {
      const OptionNode* const option = FindOption(*command, word);
      if (option != nullptr && !option->value.empty()) open = option;
    } else if (const CommandNode* const inner = FindCommand(*command, word)) {
      command = inner;
      arguments = 0;
    } else {
      ++arguments;
    }
  }
  if (open != nullptr) return ValuesOf(*open);
  if (is_option) return OptionNames(*command);
  std::vector<std::string> candidates;
  for (const CommandNode& one : command->commands) candidates.push_back(one.name);
  const OptionNode* const argument = FindArgument(*command, arguments);
  return candidates.empty() && argument != nullptr ? ValuesOf(*argument) : candidates;
}

}  // namespace

bool OptionNode::is_path() const {
  return value.find("FILE") != std::string::npos || value == "DIR" || value == "DB" ||
         value == "LIBRARY" || value == "OUT";
}

std::vector<std::string> Complete(const CommandNode& program, std::vector<std::string> words) {
  const std::string last = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  // Bash separates "--option=value" into three words.
  const std::string part = last == "=" ? "" : last;
  words.erase(std::remove(words.begin(), words.end(), "="), words.end());
  std::vector<std::string> found = Candidates(program, words, part.starts_with('-'));
  if (found == std::vector<std::string>{kCompleteFiles}) return found;
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const std::string& word) { return !word.starts_with(part); }),
              found.end());
  return found;
}

}  // namespace triarch
