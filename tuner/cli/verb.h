// Shared by verbs: global options, the action that a parsed command line selects, and the options
// of a command line that must be repeated in every command suggested afterwards.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/hazard_policy.h"

namespace CLI {
class App;
}

namespace warpwright {

// The options of a command line that must be repeated in every command suggested afterwards: a hint
// without the named database would lead to another one.
class GivenOptions {
 public:
  GivenOptions() = default;
  // Reads a parsed command line. A database is repeated only if it is the only one, since a hint
  // could otherwise mean any of them.
  explicit GivenOptions(const CLI::App& app);

  // Returns " --db 'my results.db' --kernels mine", with only the options that the verb takes; ""
  // if none was given.
  [[nodiscard]] std::string for_verb(const std::string& verb) const;
  // Adds the options to every command in backquotes, as in `warpwright show KERNEL`, that lacks
  // them.
  [[nodiscard]] std::string complete(std::string_view text) const;

 private:
  struct Takes {
    bool database = false, kernels = false;
  };
  [[nodiscard]] std::string missing_in(std::string_view command) const;

  std::string database_;  // as it is added to a command, quoted; "" if none
  std::string kernels_;
  std::map<std::string, Takes, std::less<>> verbs_;
};

struct AddedOptions;
struct WorkerOptions;
class WorkerNodes;

// The values of --option and --include. Files in a folder of --include may be read from then on
// (core/file_bounds.h).
struct AddedArguments {
  std::vector<std::string> options;
  std::vector<std::string> include;
  [[nodiscard]] AddedOptions parse() const;
};

// Set while parsing, read when the chosen action runs.
struct GlobalOptions {
  bool json = false;
  std::vector<std::string> kernel_folders;
  std::string command_line;
  GivenOptions given;            // for commands suggested in texts
  WorkerNodes* nodes = nullptr;  // other machines to work on

  [[nodiscard]] std::vector<std::filesystem::path> kernel_roots() const {
    return {kernel_folders.begin(), kernel_folders.end()};
  }
};

struct VerbContext {
  GlobalOptions& global;
  // Set by the verb that was given; returns the exit code and may throw Error.
  std::function<int()>& action;
};

void add_sweep_verb(CLI::App& app, const VerbContext& context);
void add_space_verb(CLI::App& app, const VerbContext& context);
void add_show_verb(CLI::App& app, const VerbContext& context);
void add_report_verb(CLI::App& app, const VerbContext& context);
void add_replay_verb(CLI::App& app, const VerbContext& context);
void add_compare_verb(CLI::App& app, const VerbContext& context);
void add_repro_verb(CLI::App& app, const VerbContext& context);
void add_devices_verb(CLI::App& app, const VerbContext& context);
void add_kernels_verb(CLI::App& app, const VerbContext& context);
void add_doctor_verb(CLI::App& app, const VerbContext& context);
void add_import_verb(CLI::App& app, const VerbContext& context);
void add_merge_verb(CLI::App& app, const VerbContext& context);
void add_export_verb(CLI::App& app, const VerbContext& context);
void add_salvage_verb(CLI::App& app, const VerbContext& context);
void add_calibrate_verb(CLI::App& app, const VerbContext& context);
void add_gpu_verb(CLI::App& app, const VerbContext& context);
void add_selftest_verb(CLI::App& app, const VerbContext& context);
void add_bench_verb(CLI::App& app, const VerbContext& context);
void add_model_verb(CLI::App& app, const VerbContext& context);
void add_profile_verb(CLI::App& app, const VerbContext& context);
void add_describe_verb(CLI::App& app, const VerbContext& context);
void add_account_verb(CLI::App& app, const VerbContext& context);
void add_baseline_verb(CLI::App& app, const VerbContext& context);
void add_check_verb(CLI::App& app, const VerbContext& context);
void add_vet_verb(CLI::App& app, const VerbContext& context);
void add_versions_verb(CLI::App& app, const VerbContext& context);
void add_completion_verb(CLI::App& app, const VerbContext& context);
// Hidden verb: the worker processes that the program starts from its own executable.
void add_worker_verb(CLI::App& app, const VerbContext& context);

// Resolves a verb's CONFIG argument: the file itself, or one of that name among the program's own,
// so that configs/softmax_topk.yaml is found from any folder.
[[nodiscard]] std::filesystem::path config_file(const std::string& given,
                                                const GlobalOptions& global);

// Adds --json and --kernels to a verb.
void add_common_options(CLI::App& verb, const VerbContext& context);
// Adds --hazards.
void add_hazards_option(CLI::App& verb, std::optional<HazardPolicy>& hazards);
// Adds --strict.
void add_strict_option(CLI::App& verb, bool& strict);
// Adds --objective and --require; `instead` names the default in the help text.
void add_goal_options(CLI::App& verb, std::vector<std::string>& objectives,
                      std::vector<std::string>& requirements, const std::string& instead);
// Adds --version, named versions of a kernel; `what` says what is done with them.
void add_version_option(CLI::App& verb, std::vector<std::string>& versions,
                        const std::string& what);
// Adds --trust-includes.
void add_trust_option(CLI::App& verb);
// Adds --option and --include.
void add_compiling_options(CLI::App& verb, AddedArguments& added);
// Adds --seed, --hazards, --strict, --compile-workers and --emulator-workers.
void add_worker_options(CLI::App& verb, WorkerOptions& workers);
// Returns "warpwright 0.1.0", with the commit if it is known.
[[nodiscard]] std::string version_text();
// True when stdout is a terminal and NO_COLOR is unset.
[[nodiscard]] bool stdout_takes_colour();

}  // namespace warpwright
