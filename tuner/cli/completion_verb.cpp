#include "cli/completion_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/verb.h"
#include "core/words.h"
#include "spec/kernel_spec.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

using Candidate = Completion::Candidate;
using Words = std::vector<std::string>;

bool is_option_word(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::App* find_verb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

// Accepts "--db", "--db=x.db" and "-o".
const CLI::Option* find_option(const CLI::App& verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const CLI::Option* option : verb.get_options())
    if (option->nonpositional() && option->check_name(name)) return option;
  return nullptr;
}

// The state of the words before the one that is being typed.
struct Line {
  const CLI::App* verb = nullptr;
  const CLI::Option* wants_value = nullptr;  // the option whose value is being typed
  std::size_t positionals = 0;
  std::vector<std::filesystem::path> kernel_roots;
};

std::optional<Line> read_line(const CLI::App& app, const Words& words) {
  Line line;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    const CLI::App& parser = line.verb != nullptr ? *line.verb : app;
    if (is_option_word(word)) {
      const CLI::Option* option = find_option(parser, word);
      if (option == nullptr || !takes_value(*option)) continue;
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos && i + 2 >= words.size()) {
        line.wants_value = option;
        break;
      }
      const std::string value = equals == std::string::npos ? words[++i] : word.substr(equals + 1);
      if (option->check_name("--kernels")) line.kernel_roots.emplace_back(value);
    } else if (line.verb == nullptr) {
      line.verb = find_verb(app, word);
      if (line.verb == nullptr) return std::nullopt;
    } else {
      ++line.positionals;
    }
  }
  return line;
}

std::vector<Candidate> kernel_names(const Line& line) {
  std::vector<Candidate> names;
  const Paths paths = find_paths(line.kernel_roots);
  for (const auto& [name, file] : find_kernels(paths.kernel_roots)) {
    try {
      names.push_back({name, read_kernel(file).summary});
    } catch (const std::exception&) {
      names.push_back({name, ""});  // the verb reports the error
    }
  }
  return names;
}

std::vector<Candidate> device_ids() {
  std::vector<Candidate> ids = {{"auto", "The first CUDA GPU, else an emulated device"}};
  const DeviceList list = query_devices();
  if (list.why_no_cuda.empty()) ids.push_back({"cuda:all", "Every CUDA GPU"});
  for (const DeviceInfo& device : list.devices) ids.push_back({device.id, device.name});
  return ids;
}

// CLI11 writes the allowed values of an option as "{a,b}" into its type name.
std::vector<Candidate> listed_values(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  std::vector<Candidate> values;
  if (open == std::string::npos || close == std::string::npos) return values;
  const std::string list = type.substr(open + 1, close - open - 1);
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    values.push_back({list.substr(at, comma - at), ""});
    at = comma + 1;
  }
  return values;
}

// Chooses candidates by the type name that --help shows: "KERNEL", "CONFIG|KERNEL", "FILE ...".
Completion values_of(const CLI::Option& option, const Line& line) {
  Completion found;
  const std::string type = option.get_type_name();
  found.candidates = listed_values(type);
  const auto means = [&](const char* word) { return type.find(word) != std::string::npos; };
  const auto offer = [&](const auto& list) {
    try {
      for (Candidate& candidate : list()) found.candidates.push_back(std::move(candidate));
    } catch (const std::exception&) {
      // Offer nothing; the header explains why.
    }
  };
  if (means("KERNEL")) offer([&] { return kernel_names(line); });
  if (means("DEVICE")) offer(device_ids);
  if (means("DIR")) {
    found.paths = Completion::Paths::kFolders;
  } else {
    for (const char* word :
         {"FILE", "CONFIG", "PATH", "BASELINE", "CONTENDER", "RECORDED", "DB", ".yaml"})
      if (means(word)) found.paths = Completion::Paths::kFiles;
  }
  return found;
}

Completion verbs_of(const CLI::App& app) {
  Completion found;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!verb->get_group().empty())
      found.candidates.push_back({verb->get_name(), verb->get_description()});
  return found;
}

Completion options_of(const CLI::App& parser) {
  Completion found;
  for (const CLI::Option* option : parser.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames())
      found.candidates.push_back({"--" + name, option->get_description()});
    if (!option->get_lnames().empty()) continue;
    for (const std::string& name : option->get_snames())
      found.candidates.push_back({"-" + name, option->get_description()});
  }
  return found;
}

Completion positional_of(const Line& line) {
  std::vector<const CLI::Option*> positionals;
  for (const CLI::Option* option : line.verb->get_options())
    if (option->get_positional()) positionals.push_back(option);
  if (positionals.empty()) return {};
  const bool repeats = positionals.back()->get_items_expected_max() > 1;
  if (line.positionals >= positionals.size() && !repeats) return {};
  return values_of(*positionals[std::min(line.positionals, positionals.size() - 1)], line);
}

Completion all_of(const CLI::App& app, const Line& line, const std::string& word) {
  if (line.wants_value != nullptr) return values_of(*line.wants_value, line);
  const CLI::App& parser = line.verb != nullptr ? *line.verb : app;
  if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != word.npos) {
    const CLI::Option* option = find_option(parser, word);
    if (option == nullptr || !takes_value(*option)) return {};
    Completion found = values_of(*option, line);
    for (Candidate& candidate : found.candidates)
      candidate.text = word.substr(0, equals + 1) + candidate.text;
    return found;
  }
  if (!word.empty() && word[0] == '-') return options_of(parser);
  return line.verb != nullptr ? positional_of(line) : verbs_of(app);
}

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

Completion complete_words(const CLI::App& app, const Words& words) {
  const std::string typed = words.empty() ? "" : words.back();
  const std::optional<Line> line = read_line(app, words);
  if (!line) return {};
  Completion found = all_of(app, *line, typed);
  std::erase_if(found.candidates,
                [&](const Candidate& candidate) { return !candidate.text.starts_with(typed); });
  return found;
}

void print_completion(const Completion& completion) {
  for (const Candidate& candidate : completion.candidates)
    fmt::print("{}\t{}\n", candidate.text, first_line(candidate.help));
  if (completion.paths == Completion::Paths::kFiles) fmt::print(":files\n");
  if (completion.paths == Completion::Paths::kFolders) fmt::print(":folders\n");
}

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
