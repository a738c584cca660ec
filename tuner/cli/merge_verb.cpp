// Implements `warpwright merge`: merges several databases into one.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/insight/run_history.h"
#include "cli/merge_report.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "exchange/import/import.h"
#include "output/text/overview_text.h"
#include "store/database.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMergeExample =
    "Examples:\n"
    "  warpwright merge h200.db a100.db.gz -o all.db\n"
    "  warpwright merge nightly.db --into -o all.db         adds to what is there\n"
    "Equal rows are stored once, whatever their numbers; merging in another order, or twice, gives "
    "the same.\n";

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  bool into = false;
};

// A database that is built next to its final path and moved there once it is complete.
class NewDatabase {
 public:
  explicit NewDatabase(const fs::path& place)
      : place_(place), path_(fmt::format("{}.{}.partial", place.string(), ::getpid())) {}
  ~NewDatabase() {
    std::error_code ignored;
    for (const char* companion : {"", "-wal", "-shm", "-journal"})
      fs::remove(path_.string() + companion, ignored);
  }
  NewDatabase(const NewDatabase&) = delete;
  NewDatabase& operator=(const NewDatabase&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  void publish() const {
    std::error_code why;
    fs::rename(path_, place_, why);
    if (why)
      throw environment_error(fmt::format("cannot make {}: {}", place_.string(), why.message()));
  }

 private:
  fs::path place_, path_;
};

MergeReport merge_into_new(const std::vector<fs::path>& files, const fs::path& output) {
  std::error_code ignored;
  if (fs::exists(output, ignored)) {
    throw user_error(fmt::format("{} exists already; name a new file, or add to it with --into",
                                 output.string()));
  }
  const NewDatabase fresh(output);
  MergeReport report = merge_files(files, fresh.path());
  fresh.publish();
  return report;
}

MergeReport merge_into_old(const std::vector<fs::path>& files, const fs::path& output) {
  if (!fs::exists(output)) {
    throw user_error(
        fmt::format("{} does not exist; leave --into out to make it", output.string()));
  }
  MergeOptions options;
  options.before_renumbering = [&] { refuse_renumbering_in_use(output.string()); };
  return merge_files(files, output, options);
}

nlohmann::json shards_json(const std::vector<ShardsHere>& shards) {
  nlohmann::json all = nlohmann::json::array();
  for (const ShardsHere& here : shards) {
    all.push_back({{"kernel", here.kernel},
                   {"problem_text", here.problem_text},
                   {"device_name", here.device_name},
                   {"count", here.count},
                   {"begun", here.begun},
                   {"asked", here.asked},
                   {"known", here.known}});
  }
  return all;
}

int run(const MergeArguments& arguments, const GlobalOptions& global) {
  const std::vector<fs::path> files(arguments.files.begin(), arguments.files.end());
  Outputs outputs;
  outputs.reads(arguments.files);
  outputs.require_no_input(arguments.output);
  const MergeReport report = arguments.into ? merge_into_old(files, arguments.output)
                                            : merge_into_new(files, arguments.output);
  const std::vector<ShardsHere> shards =
      shards_here(Database(arguments.output, OpenMode::kReadOnly));
  if (global.json) {
    nlohmann::json json = merge_report_json(report);
    json["database"] = arguments.output;
    json["shards"] = shards_json(shards);
    print_json(json);
  } else {
    print_text(global, merge_report_text(report, {}, text_screen()) + shards_text(shards));
  }
  return 0;
}

}  // namespace

void add_merge_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("merge", "Join several databases into one");
  auto arguments = std::make_shared<MergeArguments>();
  verb->add_option("databases", arguments->files, "Databases, also gzipped")
      ->type_name("DB ...")
      ->required();
  verb->add_option("-o,--output", arguments->output, "The joined database; it must not exist")
      ->type_name("FILE")
      ->required();
  verb->add_flag("--into", arguments->into, "Add to the database that -o names");
  add_common_options(*verb, context);
  verb->footer(kMergeExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
