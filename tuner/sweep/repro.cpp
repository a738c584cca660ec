#include "sweep/repro.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "provenance/kernel_sources.h"
#include "provenance/source_tree.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_document.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using nlohmann::json;

// Keeps text that is not JSON as a string, for human readers.
template <class T>
json column(const Stored<T>& stored) {
  try {
    return stored.document();
  } catch (const Error&) {
    return stored.text();
  }
}

// JSON is also YAML except for strings, and it keeps integers, reals, booleans and strings apart.
std::string yaml_value(const Value& value) {
  return value.is_string() ? yaml_text(value.as_string()) : json(value).dump();
}

std::string flow_map(const Problem& problem) {
  std::string text;
  for (const auto& [name, value] : problem)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", yaml_text(name), yaml_value(value));
  return "{" + text + "}";
}

std::string title(const StoredTrial& stored) {
  const TrialRecord& trial = stored.row.trial;
  return fmt::format("trial {} of {}: {} {} on {}", trial.id, stored.database,
                     stored.row.kernel_name, trial.configuration_text, trial.problem_text);
}

// Makes text safe for a comment in YAML or a shell script.
std::string comment(const std::string& text) { return terminal_line(text); }

std::string ending(const StoredTrial& stored) {
  const TrialRecord& trial = stored.row.trial;
  if (trial.median_us) {
    return fmt::format("`{}`, {} {:.4g} µs", status_name(trial.status),
                       trial.modelled ? "modelled" : "measured", *trial.median_us);
  }
  return fmt::format("`{}`", status_name(trial.status));
}

// For users who launch the kernel without warpwright. A contract that can no longer be parsed adds
// nothing here; running it again reports why.
std::string filled_scratch(const StoredTrial& stored) {
  std::string text;
  try {
    const KernelSpec kernel = parse_stored_kernel(stored.contract, "kernel.yaml");
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (argument.role != ArgumentRole::kScratch || argument.fill.empty()) continue;
      text += fmt::format(
          "\nThe scratch {} holds {} before the first launch, and every launch has to leave it "
          "ready for the next.\n",
          markdown_code(argument.name), markdown_code(argument.fill));
    }
  } catch (const Error&) {
    return "";
  }
  return text;
}

// Header folders outside the folders of kernels; their files are not stored.
std::string folders_elsewhere(const StoredTrial& stored) {
  std::string text;
  try {
    // Relative folders lie below the invented path, within the stored sources.
    const KernelSpec kernel = parse_stored_kernel(stored.contract, "/kernels/kernel/kernel.yaml");
    for (const std::filesystem::path& folder : kernel.include_folders) {
      if (folder.string().starts_with("/kernels/")) continue;
      text += fmt::format(
          "\nHeaders from {} are not in here: they are read from there, as the trial did.\n",
          markdown_code(folder.string()));
    }
  } catch (const Error&) {
    return "";
  }
  return text;
}

std::string left_out(const StoredTrial& stored) {
  std::string text = folders_elsewhere(stored);
  for (const std::string& name : stored.inputs_left_out)
    text += fmt::format(
        "\nThe input {} was too large to be stored: put it there before anything runs. Its "
        "SHA-256 is in {}.\n",
        markdown_code(name), markdown_code(name + ".sha256"));
  return text;
}

namespace fs = std::filesystem;

Database::TrialRow find_trial(const Database& database, RowId trial) {
  auto rows = database.trials({.trial = trial, .newest_per_key = false, .with_samples = true});
  if (!rows.empty()) return std::move(rows.front());
  const std::string name = database.path().string();
  const auto range = database.trial_range();
  if (!range) throw user_error(fmt::format("{}: no trial {}; it holds no trials", name, trial));
  throw user_error(fmt::format(
      "{}: no trial {}; it holds trials {} to {}; `warpwright show` prints their numbers", name,
      trial, range->first, range->second));
}

StoredTrial find_stored(const Database& database, RowId trial) {
  StoredTrial stored;
  stored.database = database.path().string();
  stored.row = find_trial(database, trial);
  for (auto& [id, run] : database.runs())
    if (id == stored.row.trial.run) stored.run = run;
  for (auto& [id, device] : database.devices())
    if (id == stored.row.trial.device) stored.device = device;
  return stored;
}

void refuse_occupied(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return;
  if (!fs::is_directory(folder, ignored)) {
    throw user_error(fmt::format(
        "{}: expected a new or empty folder, got a file; name another with -o", folder.string()));
  }
  if (!fs::is_empty(folder, ignored)) {
    throw user_error(
        fmt::format("{}: exists and is not empty; name another folder with -o", folder.string()));
  }
}

// A folder that is made next to its final place, and removed unless it is moved there.
class PartialFolder {
 public:
  explicit PartialFolder(const fs::path& place) : place_(fs::absolute(place).lexically_normal()) {
    if (!place_.has_filename()) place_ = place_.parent_path();
    path_ = place_.string() + fmt::format(".{}.partial", ::getpid());
    make_folder(path_);
  }
  ~PartialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  // Replaces an empty folder at the final place.
  void publish() const {
    std::error_code failed;
    fs::rename(path_, place_, failed);
    if (failed) {
      throw environment_error(
          fmt::format("cannot make the folder {}: {}", place_.string(), failed.message()));
    }
  }

 private:
  fs::path place_, path_;
};

// Waits for the script and returns its exit code: 128 + signal when a signal ended it, as in
// shells.
int run_script(const fs::path& script, bool sanitize, bool quiet_stdout) {
  std::vector<std::string> words = {fs::absolute(script).string()};
  if (sanitize) words.emplace_back("--sanitize");
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  setenv("WARPWRIGHT", own_executable().c_str(), 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet_stdout) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, raw.front(), &actions, nullptr, raw.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw environment_error(fmt::format("cannot run {}: {}", words.front(), std::strerror(failed)));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string repro_sweep(const StoredTrial& stored) {
  const TrialRecord& trial = stored.row.trial;
  std::string text = fmt::format("# {}\n", comment(title(stored)));
  text += fmt::format("kernel: {}\nproblems:\n  - {}\nspace:\n  variant: {}\n",
                      yaml_word(stored.kernel_folder), flow_map(*trial.problem),
                      yaml_text(trial.variant));
  for (const auto& [name, value] : *trial.parameters)
    text += fmt::format("  {}: [{}]\n", yaml_word(name), yaml_value(value));
  // In the repro folder the kernel counts as one of the tree, where findings of the checkers would
  // end the trial.
  const TrialMeasurement* seen = trial.measurement.readable();
  if (seen != nullptr && !seen->hazards.empty()) text += "hazards: warn\n";
  return text + "budget: 1\n";
}

std::string repro_json(const StoredTrial& stored) {
  const TrialRecord& trial = stored.row.trial;
  const RunRecord& run = stored.run;
  json all = {{"trial", trial.id},
              {"database", stored.database},
              {"key", trial.key},
              {"kernel", stored.row.kernel_name},
              {"contract_hash", stored.row.contract_hash},
              {"problem", column(trial.problem)},
              {"problem_text", trial.problem_text},
              {"variant", trial.variant},
              {"configuration", column(trial.parameters)},
              {"configuration_text", trial.configuration_text},
              {"status", status_name(trial.status)},
              {"reason", trial.reason},
              {"same_as", trial.same_as ? json(*trial.same_as) : json(nullptr)},
              {"modelled", trial.modelled},
              {"protocol", trial.protocol},
              {"resources", column(trial.resources)},
              {"counters", column(trial.counters)},
              {"errors", column(trial.errors)},
              {"measurement", column(trial.measurement)},
              {"options", column(trial.options)},
              {"cubin_hash", trial.cubin_hash},
              {"started_utc", trial.started_utc},
              {"samples_us", trial.samples_us},
              {"device",
               {{"id", stored.device.id},
                {"name", stored.device.name},
                {"arch", stored.device.arch},
                {"uuid", stored.device.uuid},
                {"driver", stored.device.driver},
                {"fingerprint", stored.device.fingerprint},
                {"details", column(stored.device.details)}}},
              {"run",
               {{"id", trial.run},
                {"seed", run.seed},
                {"config_path", run.config_path},
                {"config", run.config_text},
                {"version", run.version},
                {"nvrtc_version", run.nvrtc_version},
                {"host", run.host},
                {"command_line", run.command_line},
                {"started_utc", run.started_utc}}}};
  for (const TrialFigure& figure : kTrialFigures)
    all[figure.name] = figure_json<json>(trial, figure);
  // A reason may quote bytes that are not UTF-8.
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string repro_script(const StoredTrial& stored, const std::string& device) {
  return fmt::format(R"sh(#!/bin/sh
# Runs {} again.
#   ./run.sh                 into repro.db
#   ./run.sh --sanitize      the same under compute-sanitizer
# Further arguments go to `warpwright sweep`. The program is $WARPWRIGHT, else warpwright from PATH.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
program=${{WARPWRIGHT:-warpwright}}
if ! command -v "$program" >/dev/null 2>&1; then
  echo "run.sh: there is no program '$program'; set WARPWRIGHT to the path of warpwright" >&2
  exit 3
fi
sanitize=no
if [ "${{1:-}}" = --sanitize ]; then
  sanitize=yes
  shift
  if ! command -v compute-sanitizer >/dev/null 2>&1; then
    echo "run.sh: compute-sanitizer is not on PATH; it comes with the CUDA Toolkit, often in /usr/local/cuda/bin" >&2
    exit 3
  fi
fi
# Sources and common headers come from here alone.
export WARPWRIGHT_HOME="$here"
set -- "$program" sweep "$here/sweep.yaml" --kernels "$here/kernels" --db "$here/repro.db" --fresh \
  --seed {} --device {} "$@"
if [ "$sanitize" = yes ]; then
  exec compute-sanitizer --target-processes all "$@"
fi
exec "$@"
)sh",
                     comment(title(stored)), stored.run.seed, shell_word(device));
}

std::string repro_readme(const StoredTrial& stored, const std::string& device) {
  const TrialRecord& trial = stored.row.trial;
  return fmt::format(
             R"(# {}

It ended with {} on {} ({}), driver {}, seed {}, {}.

    ./run.sh                  # runs it again, into repro.db; needs warpwright on PATH or in $WARPWRIGHT
    ./run.sh --sanitize       # under compute-sanitizer
    ./run.sh --device emu:sm_90a

Without the script, from this folder:

    WARPWRIGHT_HOME="$PWD" warpwright sweep sweep.yaml --kernels kernels --db repro.db --fresh --seed {} --device {}

| file | what it is |
|---|---|
| `kernels/` | the sources as they were: contract, reference, the variant, and what they include |
| `sweep.yaml` | this one configuration on this one problem |
| `trial.json` | everything that was stored of the trial: reason, options, resources, samples |

Sources of the kernel's other variants are empty files: the contract names them and this trial does not use them. Inputs
follow from the seed, so a wrong result is wrong in the same places; a time is measured anew.
)",
             markdown_text(title(stored)), ending(stored), markdown_text(stored.device.name),
             markdown_text(stored.device.id), markdown_text(stored.device.driver), stored.run.seed,
             stored.run.version.empty() ? "an unknown version" : markdown_text(stored.run.version),
             stored.run.seed, terminal_line(shell_word(device))) +
         left_out(stored) + filled_scratch(stored) +
         (trial.reason.empty() ? "" : "\n" + markdown_block(trial.reason));
}

Repro write_repro(const Database& database, RowId trial, const fs::path& folder,
                  const std::string& device) {
  StoredTrial stored = find_stored(database, trial);
  if (is_imported(stored.row.trial)) {
    throw user_error(
        fmt::format("{}: trial {} was measured elsewhere and imported from {}: there "
                    "are no sources to run",
                    stored.database, trial, import_file(stored.row.trial)));
  }
  const std::vector<KernelSource> sources = database.kernel_sources(stored.row.trial.kernel);
  if (sources.empty()) {
    throw user_error(
        fmt::format("{}: trial {} was stored by an older warpwright, which did not keep sources; "
                    "run `warpwright "
                    "sweep {}` again: it keeps them, of unchanged sources for this trial as well",
                    stored.database, trial, stored.run.config_path));
  }
  refuse_occupied(folder);
  for (const auto& [id, kernel] : database.kernels())
    if (id == stored.row.trial.kernel) stored.contract = kernel.contract_text;
  stored.inputs_left_out = inputs_left_out(sources);
  // The folder is made elsewhere until it is complete, so that a partial folder is never mistaken
  // for a complete one.
  const PartialFolder draft(folder);
  stored.kernel_folder = write_source_tree(sources, draft.path(), "trial");
  Repro repro{folder, stored.row, device.empty() ? stored.device.id : device,
              stored.inputs_left_out};
  write_with_folders(draft.path() / "sweep.yaml", repro_sweep(stored));
  write_with_folders(draft.path() / "trial.json", repro_json(stored));
  write_with_folders(draft.path() / "README.md", repro_readme(stored, repro.device));
  write_with_folders(draft.path() / "run.sh", repro_script(stored, repro.device));
  fs::permissions(draft.path() / "run.sh",
                  fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
  draft.publish();
  return repro;
}

ReproResult run_repro(const Repro& repro, bool sanitize, bool quiet_stdout) {
  const fs::path script = repro.folder / "run.sh";
  const fs::path file = repro.folder / "repro.db";
  const int exit_code = run_script(script, sanitize, quiet_stdout);
  std::vector<Database::TrialRow> rows;
  if (fs::exists(file)) {
    const Database database(file, OpenMode::kReadOnly);
    rows = database.trials({.newest_per_key = false});
  }
  if (rows.empty()) {
    throw Error(
        exit_code == 2 ? Fault::kUser : Fault::kEnvironment,
        fmt::format("{} ended with exit code {} and stored no trial; its messages are above",
                    script.string(), exit_code));
  }
  const Database::TrialRow& row = rows.back();
  const Status stored = repro.row.trial.status;
  ReproResult result;
  result.status = row.trial.status;
  result.reason = row.trial.reason;
  // A trial that runs alone cannot be pruned, and the clocks may be steady this time.
  result.agrees = result.status == stored || (ran_right(stored) && ran_right(result.status));
  result.same_sources = row.contract_hash == repro.row.contract_hash;
  return result;
}

}  // namespace warpwright
