// Implements `warpwright import`: imports results from other databases and other tuners.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/merge_report.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/files.h"
#include "exchange/import/import.h"
#include "store/database.h"
#include "sweep/run_records.h"
#include "workers/paths.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr const char* kImportExample =
    "Examples:\n"
    "  warpwright import results/nvidia-h200/fused/warpwright.db.gz\n"
    "  warpwright import convolution-A100.json.gz --problem \"image=4096 filter=15\"\n"
    "  warpwright import tuned.json --kernel gemm --device \"RTX 4090\" --db other.db\n"
    "A file is a warpwright database or T4 results of another tuner, plain or gzipped; what it is "
    "is\n"
    "seen from its content. Either all files are imported or none. Results of others are marked "
    "as\n"
    "imported wherever they are shown, and never share a leaderboard with measurements of ours.\n";

struct ImportArguments {
  std::vector<std::string> files;
  std::string database, kernel, device, problem;
};

void print_report(const ImportReport& report, const GlobalOptions& global) {
  std::vector<std::string> formats;
  for (const ImportReport::File& file : report.files) formats.push_back(file.format);
  std::string text = merge_report_text(report.merged, formats, text_screen());
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    for (const std::string& note : report.files[i].notes)
      text += fmt::format("{}: {}\n", report.merged.files[i].name, note);
  }
  print_text(global, text + "`warpwright show` shows them\n");
}

int run(const ImportArguments& arguments, const GlobalOptions& global) {
  const fs::path file = arguments.database.empty()
                            ? find_paths(global.kernel_roots()).default_database()
                            : fs::path(arguments.database);
  Outputs outputs;
  outputs.reads(arguments.files);
  outputs.require_no_input(file);
  if (arguments.database.empty()) make_folder(file.parent_path());
  ImportOptions options;
  options.kernel = arguments.kernel;
  options.device = arguments.device;
  options.problem = arguments.problem;
  options.version = version_text();
  options.command_line = global.command_line;
  options.now_utc = utc_now();
  options.merge.before_renumbering = [&] { refuse_renumbering_in_use(file.string()); };
  const ImportReport report =
      import_files({arguments.files.begin(), arguments.files.end()}, file, options);
  if (!global.json) {
    print_report(report, global);
    return 0;
  }
  nlohmann::json json = merge_report_json(report.merged);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    json["files"][i]["format"] = report.files[i].format;
    json["files"][i]["notes"] = report.files[i].notes;
  }
  json["database"] = file.string();
  print_json(json);
  return 0;
}

}  // namespace

void add_import_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("import", "Import results of other databases and tuners");
  auto arguments = std::make_shared<ImportArguments>();
  verb->add_option("files", arguments->files, "Databases and T4 files, also gzipped")
      ->type_name("FILE ...")
      ->required();
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--kernel", arguments->kernel,
                   "The kernel of T4 results; else the file's name KERNEL-DEVICE.json.gz says it")
      ->type_name("NAME");
  verb->add_option("--device", arguments->device, "The device of T4 results; else as --kernel")
      ->type_name("NAME");
  verb->add_option("--problem", arguments->problem,
                   "The problem of T4 results: \"image=4096 filter=15\"; else \"published\"")
      ->type_name("SIZES");
  add_common_options(*verb, context);
  verb->footer(kImportExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
