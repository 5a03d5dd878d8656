// Writes the manual page.

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "cli/command_tree.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Escapes one line of text.
std::string Escape(std::string_view text) {
  std::string escaped;
  if (text.starts_with('.') || text.starts_with('\'')) escaped += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Escapes text whose line breaks do not matter.
std::string Filled(std::string_view text) {
  std::string filled;
  for (const std::string_view line : Split(text, '\n')) filled += Escape(Trim(line)) + "\n";
  return filled;
}

// Escapes text whose line breaks and spaces matter.
std::string Verbatim(std::string_view text) {
  std::string block = ".PP\n.nf\n";
  for (const std::string_view line : Split(text, '\n')) block += Escape(line) + "\n";
  return block + ".fi\n";
}

std::string ArgumentsText(const CommandNode& command) {
  std::string text;
  for (const OptionNode& option : command.options) {
    if (!option.is_argument()) continue;
    const std::string name = option.value + (option.is_list ? " ..." : "");
    text += option.is_required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string OptionsText(const CommandNode& command) {
  std::string text;
  std::string group;
  for (const OptionNode& option : command.options) {
    if (option.group != group) {
      group = option.group;
      text += ".PP\n\\fI" + Escape(group) + "\\fR\n";
    }
    std::string names;
    for (const std::string& name : option.names) {
      names += (names.empty() ? "" : ", ") + ("\\fB" + Escape(name) + "\\fR");
    }
    if (!option.value.empty()) {
      names += (names.empty() ? "\\fI" : " \\fI") + Escape(option.value) + "\\fR";
    }
    text += ".TP\n" + names + "\n" + Filled(option.help);
  }
  return text;
}

// Appends a section for each command without subcommands.
void AppendCommands(const CommandNode& command, const std::string& path, std::string* page) {
  for (const CommandNode& one : command.commands) {
    const std::string name = path + " " + one.name;
    *page += ".SS " + Escape(name + ArgumentsText(one)) + "\n" + Filled(one.help);
    *page += OptionsText(one);
    if (!one.footer.empty()) *page += Verbatim(one.footer);
    AppendCommands(one, name, page);
  }
}

}  // namespace

std::string ManualPage(const CommandNode& program, const std::string& version) {
  std::string page = ".TH " + absl::AsciiStrToUpper(program.name) + " 1 \"\" \"" + program.name +
                     " " + version + "\"\n";
  page += ".SH NAME\n" + program.name + " \\- " + Filled(program.help);
  page += ".SH SYNOPSIS\n.B " + program.name + "\n.I COMMAND\n[\\fIOPTION\\fR ...]\n";
  page +=
      ".SH DESCRIPTION\n" + Filled(program.help) + OptionsText(program) + Verbatim(program.footer);
  page += ".SH COMMANDS\n";
  AppendCommands(program, program.name, &page);
  return page;
}

}  // namespace triarch
