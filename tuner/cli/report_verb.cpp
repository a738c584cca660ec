// Implements `warpwright report`: writes a page about one or several databases to view in a
// browser.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/results_file.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/words.h"
#include "output/report/report_json.h"
#include "output/report/report_page.h"
#include "sweep/run_records.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kReportExample =
    "Examples:\n"
    "  warpwright report                              report.html, of everything\n"
    "  warpwright report softmax_topk -o topk.html    one kernel\n"
    "  warpwright report --db h200.db --db a100.db    GPUs side by side\n"
    "  warpwright report --json                       what the page draws, as JSON\n"
    "The page is one file that needs no network: open it, mail it, keep it as an artifact of CI.\n";

constexpr std::size_t kSampledPerBoard = 12;

struct ReportArguments {
  std::string kernel;
  std::vector<std::string> databases;
  std::string page;
  GoalOverride goal;
  Outputs outputs;
};

void check_kernel(const std::string& kernel, const std::vector<ReportSource>& sources) {
  if (kernel.empty()) return;
  std::vector<std::string> names;
  for (const ReportSource& source : sources)
    for (const auto& [name, summary] : source.summaries) names.push_back(name);
  if (std::find(names.begin(), names.end(), kernel) != names.end()) return;
  std::string files;
  for (const ReportSource& source : sources) files += (files.empty() ? "" : ", ") + source.name;
  throw user_error(
      fmt::format("{}: no results of kernel '{}'{}", files, kernel, suggestion(kernel, names)));
}

std::vector<ReportSource> read_sources(const ReportArguments& arguments,
                                       const GlobalOptions& global) {
  std::vector<std::filesystem::path> files(arguments.databases.begin(), arguments.databases.end());
  const bool usual = files.empty();
  if (usual) {
    files.push_back(find_paths(global.kernel_roots()).default_database());
    if (!std::filesystem::exists(files.front())) {
      throw user_error(fmt::format(
          "{}: no results yet; make some with `warpwright sweep configs/softmax_topk_quick.yaml`",
          files.front().string()));
    }
  }
  std::vector<ReportSource> sources;
  for (const std::filesystem::path& file : files) {
    const ResultsFile results = open_results(file, global.command_line);
    sources.push_back(read_report_source(
        results.database, arguments.kernel.empty() ? std::nullopt : std::optional(arguments.kernel),
        kSampledPerBoard, arguments.goal));
    sources.back().name = file.filename().string();
    if (!usual) sources.back().repro_options = " --db " + shell_word(file.string());
  }
  check_kernel(arguments.kernel, sources);
  return sources;
}

int run(ReportArguments& arguments, const GlobalOptions& global) {
  const std::filesystem::path page = arguments.page.empty() ? "report.html" : arguments.page;
  arguments.outputs.reads(arguments.databases);
  if (arguments.databases.empty())
    arguments.outputs.reads(find_paths(global.kernel_roots()).default_database());
  if (!global.json || !arguments.page.empty()) arguments.outputs.require(page, kPageOutput);
  const std::vector<ReportSource> sources = read_sources(arguments, global);
  const nlohmann::json document =
      report_json(sources, {.program = version_text(), .made_utc = utc_now()});
  if (global.json) {
    print_json(document, -1);
    if (arguments.page.empty()) return 0;
  }
  const std::string html = report_page(document);
  write_output(page, html);
  for (const auto& text : document["left_out"])
    print_message(global, fmt::format("warpwright: {}\n", text.get<std::string>()));
  if (!global.json) {
    const std::size_t boards = document["boards"].size();
    const std::string line =
        fmt::format("{}: {}, {:.1f} MB; open it in a browser\n", page.string(),
                    plural(boards, "problem"), static_cast<double>(html.size()) / 1e6);
    // stdout may hold the page itself, so the message goes to stderr unless the page is in a file.
    is_output_file(page) ? print_text(line) : print_error_text(line);
  }
  return 0;
}

}  // namespace

void add_report_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("report", "One page to look at, in a browser");
  auto arguments = std::make_shared<ReportArguments>();
  verb->add_option("kernel", arguments->kernel, "Only this kernel")->type_name("KERNEL");
  verb->add_option("--db", arguments->databases,
                   "Results instead of results/warpwright.db: a database, one in gzip, or T4 "
                   "results of another "
                   "tuner; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb->add_option("-o,--output", arguments->page, "The page instead of report.html")
      ->type_name("FILE");
  add_goal_options(*verb, arguments->goal.objectives, arguments->goal.requirements,
                   "instead of what the sweeps were after");
  arguments->outputs.add_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kReportExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
