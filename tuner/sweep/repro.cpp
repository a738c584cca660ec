#include "sweep/repro.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "spec/yaml_document.h"
#include "store/imported.h"
#include "sweep/kernel_sources.h"
#include "sweep/repro_files.h"
#include "sweep/source_tree.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

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
