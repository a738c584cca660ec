// Implements `warpwright completion`: prints the scripts by which shells complete command lines.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/verb.h"

namespace warpwright {
namespace {

constexpr const char* kCompletionExample =
    "Examples:\n"
    "  source <(warpwright completion bash)                in ~/.bashrc\n"
    "  source <(warpwright completion zsh)                 in ~/.zshrc, after compinit\n"
    "  warpwright completion fish | source                 in ~/.config/fish/config.fish\n"
    "`scripts/quickstart --install` puts them where the shells look. Verbs, options, kernels and\n"
    "devices are asked of the program whenever Tab is pressed, so they are those of today.\n";

// bash splits words at '=' and ':', so the text before the last of these is on the command line
// already and must not be in the answer.
constexpr const char* kBash =
    R"sh(# Completion of warpwright for bash: the program says what may follow.
_warpwright() {
  local typed="${COMP_LINE:0:COMP_POINT}" breaks="${COMP_WORDBREAKS//[^=:]/}" word kept line
  local -a words
  read -a words <<<"$typed"
  case "$typed" in *\\[[:space:]]) ;; *[[:space:]]) words+=('') ;; esac
  word="${words[${#words[@]} - 1]}" kept=''
  if [ -n "$breaks" ]; then kept="${word%"${word##*["$breaks"]}"}"; fi
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${word#"$kept"}") ;;
      :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${word#"$kept"}") ;;
      *) line="${line%%$'\t'*}"; COMPREPLY+=("${line#"$kept"}") ;;
    esac
  done < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _warpwright warpwright
)sh";

constexpr const char* kZsh = R"sh(#compdef warpwright
# Completion of warpwright for zsh: the program says what may follow.
_warpwright() {
  local line tab=$'\t'
  local -a offered
  for line in "${(@f)$("${words[1]/#\~/$HOME}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :files) compset -P '--*='; _files ;;
      :folders) compset -P '--*='; _files -/ ;;
      *) offered+=("${${line%%$tab*}//:/\\:}:${line#*$tab}") ;;
    esac
  done
  if (( $#offered )); then _describe -V warpwright offered; fi
}
if [[ "${funcstack[1]}" == _warpwright ]]; then _warpwright "$@"; else compdef _warpwright warpwright; fi
)sh";

constexpr const char* kFish =
    R"sh(# Completion of warpwright for fish: the program says what may follow.
function __warpwright_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program (string replace -r '^~' "$HOME" -- $words[1])
    set -e words[1]
    set -l option (string match -r -- '^--[^=]*=' "$word")
    set -l path (string replace -r -- '^--[^=]*=' '' "$word")
    for line in ($program complete $words "$word" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$path" | string replace -r -- '^' "$option"
            case ':folders'
                __fish_complete_directories "$path" | string replace -r -- '^' "$option"
            case '*'
                echo $line
        end
    end
end
complete -c warpwright -f -a '(__warpwright_complete)'
)sh";

std::string script_of(const std::string& shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

}  // namespace

void add_completion_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("completion", "The script with which a shell completes command lines");
  auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "The shell")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  add_common_options(*verb, context);
  verb->footer(kCompletionExample);
  verb->callback([shell, context] {
    GlobalOptions& global = context.global;
    context.action = [shell, &global] {
      const std::string script = script_of(*shell);
      if (global.json) {
        fmt::print("{}\n", nlohmann::json{{"shell", *shell}, {"script", script}}.dump(2));
      } else {
        fmt::print("{}", script);
      }
      return 0;
    };
  });
}

}  // namespace warpwright
