// Implements `warpwright compare`: shows devices, runs, commits and databases side by side.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/compare/agreement.h"
#include "analysis/compare/comparison.h"
#include "analysis/compare/contender_choice.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/results_file.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "metrics/peaks.h"
#include "output/json/agreement_json.h"
#include "output/json/comparison_json.h"
#include "output/text/agreement_text.h"
#include "output/text/comparison_text.h"
#include "store/database.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kCompareExample =
    "Examples:\n"
    "  warpwright compare                                   every device of the database\n"
    "  warpwright compare --by gpu                          GPUs of one name next to each other\n"
    "  warpwright compare run:1 run:2                       what a change made faster or slower\n"
    "  warpwright compare commit:1a2b3c4 commit:9f8e7d6 --kernel gated_activation\n"
    "  warpwright compare 'NVIDIA H200' emu:sm_90a          devices, by name or id\n"
    "  warpwright compare old.db new.db.gz#run:12 a100.db#cuda:1\n"
    "  warpwright compare h200.db gemm-A100.json.gz         T4 results of another tuner\n"
    "  warpwright compare first.db second.db --agreement    how alike the orders of two sweeps "
    "are\n"
    "The first contender is what the others are set against. Speed-ups are given between times of\n"
    "one kind (measured, imported or modelled) and one protocol only. What a configuration "
    "reaches\n"
    "of the best on its own device (transfer, portability, portfolio) holds for every kind.\n"
    "In a shell, quote a contender that has a blank.\n";

struct CompareArguments {
  std::vector<std::string> contenders;
  std::vector<std::string> databases;
  std::string kernel;
  std::string within = "5%";
  std::string by = "name";
  std::size_t top = 5;
  bool agreement = false;
};

// Accepts "5%", "5 %" and "0.05"; the value must be at least 0 and below 100 %.
double parse_within(const std::string& text) {
  std::string digits = text;
  const bool percent = digits.ends_with('%');
  if (percent) digits.pop_back();
  while (!digits.empty() && digits.back() == ' ') digits.pop_back();
  double value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const double fraction = percent ? value / 100 : value;
  if (digits.empty() || fault != std::errc() || end != digits.data() + digits.size() ||
      !(fraction >= 0 && fraction < 1)) {
    throw user_error(
        fmt::format("--within {}: expected a share from 0 % to below 100 %, as 5% or 0.05", text));
  }
  return fraction;
}

ContendersBy parse_by(const std::string& text) {
  if (text == "name") return ContendersBy::kName;
  if (text == "gpu") return ContendersBy::kGpu;
  const std::vector<std::string> known = {"name", "gpu"};
  const std::optional<std::string> near = nearest(text, known);
  throw user_error(fmt::format(
      "--by '{}': expected `name`, by which GPUs of one name are one contender, or `gpu`, by which "
      "each is one{}",
      text, near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

// Files stay open while contenders are loaded from them; each is opened once.
class OpenFiles {
 public:
  explicit OpenFiles(std::string command_line) : command_line_(std::move(command_line)) {}

  ContenderSource open(const std::string& name) {
    for (const auto& [known, file] : files_)
      if (known == name) return {name, &file.database};
    files_.emplace_back(name, open_results(name, command_line_));
    return {name, &files_.back().second.database};
  }
  [[nodiscard]] const std::deque<std::pair<std::string, ResultsFile>>& all() const {
    return files_;
  }

 private:
  std::string command_line_;
  std::deque<std::pair<std::string, ResultsFile>> files_;  // does not move what it holds
};

std::vector<std::string> default_databases(const CompareArguments& arguments,
                                           const GlobalOptions& global) {
  if (!arguments.databases.empty()) return arguments.databases;
  const std::filesystem::path file = find_paths(global.kernel_roots()).default_database();
  if (!std::filesystem::exists(file)) {
    throw user_error(fmt::format(
        "{}: no results yet; make some with `warpwright sweep configs/softmax_topk_quick.yaml`, or "
        "name database files",
        file.string()));
  }
  return {file.string()};
}

void check_kernel(const OpenFiles& files, const std::string& kernel) {
  std::vector<std::string> names;
  for (const auto& [name, file] : files.all()) {
    for (const auto& [id, known] : file.database.kernels()) {
      if (known.name == kernel) return;
      if (std::find(names.begin(), names.end(), known.name) == names.end())
        names.push_back(known.name);
    }
  }
  throw user_error(fmt::format("no results of kernel '{}'{}", kernel, suggestion(kernel, names)));
}

std::vector<ChosenContender> choose(const CompareArguments& arguments, const GlobalOptions& global,
                                    OpenFiles& files) {
  const ContendersBy by = parse_by(arguments.by);
  std::vector<ContenderWord> words;
  bool anywhere_needed = arguments.contenders.empty();
  for (const std::string& text : arguments.contenders) {
    words.push_back(parse_contender_word(text));
    anywhere_needed |= words.back().file.empty();
  }
  std::vector<ContenderSource> anywhere, of_words;
  if (anywhere_needed) {
    for (const std::string& name : default_databases(arguments, global))
      anywhere.push_back(files.open(name));
  }
  for (const ContenderWord& word : words)
    if (!word.file.empty()) of_words.push_back(files.open(word.file));
  if (!arguments.kernel.empty()) check_kernel(files, arguments.kernel);
  std::vector<ChosenContender> chosen = choose_contenders(words, anywhere, of_words, by);
  if (chosen.empty()) {
    throw user_error(fmt::format("{}: it holds no trials; make some with `warpwright sweep CONFIG`",
                                 anywhere.empty() ? "nothing chosen" : anywhere.front().name));
  }
  return chosen;
}

std::vector<Contender> load(const CompareArguments& arguments, const GlobalOptions& global,
                            OpenFiles& files) {
  std::vector<Contender> contenders;
  for (const ChosenContender& chosen : choose(arguments, global, files)) {
    contenders.push_back(
        load_contender(*chosen.database, chosen.trials,
                       arguments.kernel.empty() ? std::nullopt : std::optional(arguments.kernel)));
    // The harness's own kernels are compared only if they are named.
    if (arguments.kernel.empty()) {
      std::erase_if(contenders.back().boards,
                    [](const Leaderboard& board) { return is_harness_kernel(board.kernel); });
    }
    contenders.back().name = chosen.name;
    contenders.back().source = chosen.source;
  }
  return contenders;
}

int print_agreement(std::vector<Contender> contenders, const GlobalOptions& global) {
  if (contenders.size() != 2) {
    std::string names;
    for (const Contender& contender : contenders)
      names += (names.empty() ? "" : ", ") + terminal_line(contender.name);
    throw user_error(fmt::format(
        "--agreement holds two contenders against each other, got {} ({}); name two, for example "
        "run:1 run:2 or first.db second.db",
        contenders.size(), names));
  }
  const Agreement agreement = agree(std::move(contenders[0]), std::move(contenders[1]));
  if (global.json) {
    print_json(agreement_json(agreement));
  } else {
    print_text(global, agreement_text(agreement, text_screen()));
  }
  return 0;
}

int run(const CompareArguments& arguments, const GlobalOptions& global) {
  ComparisonOptions options;
  options.within = parse_within(arguments.within);
  OpenFiles files(global.command_line);
  std::vector<Contender> contenders = load(arguments, global, files);
  if (arguments.agreement) return print_agreement(std::move(contenders), global);
  const Comparison comparison = compare(std::move(contenders), options);
  if (global.json) {
    print_json(comparison_json(comparison));
  } else {
    print_text(global,
               comparison_text(comparison, {arguments.top, stdout_takes_colour(), text_screen()}));
  }
  return 0;
}

}  // namespace

void add_compare_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("compare", "Devices, runs, commits or databases side by side");
  auto arguments = std::make_shared<CompareArguments>();
  verb->add_option("contenders", arguments->contenders,
                   "Each a device (id, name, start of its fingerprint), run:N, commit:HASH or a "
                   "FILE, or FILE#one of these; every device when not given")
      ->type_name("CONTENDER");
  verb->add_option("--db", arguments->databases,
                   "Results database instead of results/warpwright.db; may be repeated")
      ->allow_extra_args(false)  // the next word is a contender
      ->type_name("FILE");
  verb->add_option("--kernel", arguments->kernel, "Only this kernel")->type_name("NAME");
  verb->add_option("--within", arguments->within, "How near to every best time a portfolio stays")
      ->type_name("SHARE")
      ->capture_default_str();
  verb->add_option(
          "--by", arguments->by,
          "`name`: GPUs of one name that recorded side by side are one contender, with the "
          "best time of each problem among them; `gpu`: each is one")
      ->type_name("name|gpu")
      ->capture_default_str();
  verb->add_option("--top", arguments->top,
                   "Problems shown in detail, and rows of their lists; 0 is all")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_flag("--agreement", arguments->agreement,
                 "Show how far two contenders agree: rank correlation, tie sets, winners");
  add_common_options(*verb, context);
  verb->footer(kCompareExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
