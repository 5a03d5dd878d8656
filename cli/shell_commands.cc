// Implements `triarch completion` and `triarch man`, which describe all commands to other programs.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/files.h"

namespace triarch {
namespace {

constexpr std::string_view kBash = R"(_triarch() {
  local found
  mapfile -t found < <("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${found[0]} == :files ]]; then
    compopt -o filenames
    mapfile -t found < <(compgen -f -- "${2#=}")
  fi
  COMPREPLY=("${found[@]}")
}
complete -F _triarch triarch
)";

constexpr std::string_view kZsh = R"(#compdef triarch
_triarch() {
  local -a found
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ ${found[1]} == :files ]]; then
    _files
  else
    compadd -a found
  fi
}
compdef _triarch triarch
)";

constexpr std::string_view kFish = R"(function __triarch_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
  if test "$found[1]" = :files
    __fish_complete_path "$last"
  else
    printf '%s\n' $found
  end
end
complete -c triarch -f -a '(__triarch_complete)'
)";

struct CompletionOptions {
  std::string shell;
};

int RunCompletion(const CompletionOptions& options) {
  Print(std::string(options.shell == "bash" ? kBash : options.shell == "zsh" ? kZsh : kFish));
  return kExitDone;
}

}  // namespace

void AddShellCommands(const Command& app, std::function<CommandNode()> tree) {
  auto options = std::make_shared<CompletionOptions>();
  const Command completion =
      app.AddCommand("completion", "Print a script that completes command lines in a shell.");
  completion.AddChoice({"SHELL", "", "bash, zsh or fish"}, {"bash", "zsh", "fish"}, &options->shell)
      .Required();
  completion.Footer(
      "Examples:\n"
      "  source <(triarch completion bash)        # in ~/.bashrc\n"
      "  source <(triarch completion zsh)         # in ~/.zshrc, after compinit\n"
      "  triarch completion fish >~/.config/fish/completions/triarch.fish");
  completion.OnRun(options, RunCompletion);
  const Command man = app.AddCommand("man", "Print the manual page of all commands.");
  man.Footer(
      "Examples:\n"
      "  triarch man | man -l -\n"
      "  triarch man >/usr/local/share/man/man1/triarch.1");
  man.OnRun([tree = std::move(tree)] {
    Print(ManualPage(tree(), TRIARCH_VERSION));
    return int{kExitDone};
  });
}

}  // namespace triarch
