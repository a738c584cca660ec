// Implements `warpwright doctor`: checks everything that a sweep needs, and explains how to fix
// missing parts.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "compile/compile_cache.h"
#include "compile/nvrtc.h"
#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/process/confine.h"
#include "core/process/subprocess.h"
#include "spec/kernel_spec.h"
#include "store/database.h"
#include "trial/reference/reference.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDoctorExample =
    "Example:\n"
    "  warpwright doctor\n"
    "Exit code 0 when a sweep can run here (on a GPU or emulated), 3 when something it "
    "needs is "
    "missing.\n";

enum class Health { kGood, kNote, kBad };

struct Diagnosis {
  Health health;
  std::string topic;
  std::string text;
};

// Formats sizes such as "0 B", "812 KiB" and "1.4 GiB".
std::string size_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < std::size(kUnits)) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", size, unit == 0 || size >= 100 ? 0 : 1, kUnits[unit]);
}

const char* health_name(Health health) {
  return health == Health::kGood ? "ok" : health == Health::kNote ? "note" : "bad";
}

// Runs one check; an Error in it becomes a diagnosis and does not end the other checks.
Diagnosis examine(const std::string& topic, const std::function<Diagnosis()>& check) {
  try {
    return check();
  } catch (const std::exception& error) {
    return {Health::kBad, topic, error.what()};
  }
}

Diagnosis check_compiler() {
  std::vector<std::string> looked_in;
  const std::optional<Toolchain> toolchain = locate_toolchain(&looked_in);
  if (!toolchain) {
    return {Health::kBad, "NVRTC",
            fmt::format("not found in {}; install the CUDA Toolkit or run scripts/dev/fetch_cuda",
                        fmt::join(looked_in, ", "))};
  }
  const Nvrtc nvrtc(*toolchain);
  return {Health::kGood, "NVRTC",
          fmt::format("{} at {} (by {})", nvrtc.version(), toolchain->nvrtc.string(),
                      toolchain->found_by)};
}

Diagnosis check_confinement() {
  if (can_confine_threads())
    return {Health::kGood, "confinement",
            "compilers read the toolkit and the job's files, and no others (Landlock)"};
  return {Health::kNote, "confinement",
          "this system has no Landlock: only the scan of includes keeps compilers from files of "
          "others"};
}

Diagnosis check_devices() {
  const DeviceList list = query_devices();
  std::string ids;
  for (const DeviceInfo& device : list.devices) ids += (ids.empty() ? "" : ", ") + device.id;
  if (!list.why_no_cuda.empty())
    return {Health::kNote, "devices", fmt::format("{}; no CUDA device: {}", ids, list.why_no_cuda)};
  return {Health::kGood, "devices", ids};
}

Diagnosis check_kernels(const Paths& paths) {
  std::size_t count = 0;
  for (const auto& [name, file] : find_kernels(paths.kernel_roots)) {
    const KernelSpec kernel = read_kernel(file);
    count += kernel.variants.empty() ? 0 : 1;
  }
  return {Health::kGood, "kernels",
          fmt::format("{} contracts read under {}", count, paths.home.string())};
}

Diagnosis check_host_compiler() {
  const char* chosen = std::getenv("CXX");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
  Subprocess probe({"/bin/sh", "-c", "command -v \"$1\" >/dev/null 2>&1", "sh", compiler});
  if (probe.wait().code == 0)
    return {Health::kGood, "host compiler",
            fmt::format("{} (for references of kernels outside the tree)", compiler)};
  return {Health::kNote, "host compiler",
          fmt::format("'{}' not found; kernels outside the tree need one: apt-get install g++",
                      compiler)};
}

Diagnosis check_database(const Paths& paths) {
  const fs::path file = paths.default_database();
  if (!fs::exists(file))
    return {Health::kNote, "database", fmt::format("{} does not exist yet", file.string())};
  const Database database(file, OpenMode::kReadOnly);
  const std::string integrity = database.integrity();
  if (integrity != "ok")
    return {Health::kBad, "database", fmt::format("{}: {}", file.string(), integrity)};
  return {Health::kGood, "database",
          fmt::format("{}: {} trials", file.string(), database.trial_count())};
}

std::string limit_text(std::uint64_t limit) {
  return limit == kNoCacheLimit ? "no limit" : fmt::format("limit {}", size_text(limit));
}

// Reads the whole cache. Damaged entries are removed, and notices name them.
Diagnosis check_cache() {
  const fs::path root = cache_root();
  std::error_code failed;
  fs::create_directories(root, failed);
  if (failed || ::access(root.c_str(), W_OK | X_OK) != 0) {
    return {Health::kNote, "cache",
            fmt::format("{} cannot be written: everything is compiled again each time; set "
                        "WARPWRIGHT_CACHE to a folder that can be",
                        root.string())};
  }
  const std::uint64_t limit = cache_limit_bytes();
  CacheCheck check = CompileCache(compile_cache_folder(), limit).verify();
  verify_references(reference_cache_folder() / kObjectsFolder, check);
  ReferenceStore(reference_cache_folder() / kAnswersFolder).verify(check);
  const double free_gib = static_cast<double>(fs::space(root).available) / (1 << 30);
  std::string text = fmt::format("{}: {} entr{} of {} ({}), {:.1f} GiB free", root.string(),
                                 check.files, check.files == 1 ? "y" : "ies",
                                 size_text(check.bytes), limit_text(limit), free_gib);
  if (check.damaged > 0) {
    text += fmt::format("; {} damaged entr{} found and removed", check.damaged,
                        check.damaged == 1 ? "y was" : "ies were");
  }
  return {free_gib < 1        ? Health::kBad
          : check.damaged > 0 ? Health::kNote
                              : Health::kGood,
          "cache", text};
}

Diagnosis prune() {
  const std::uint64_t limit = cache_limit_bytes();
  const CachePruning pruning =
      prune_cache({compile_cache_folder(), reference_cache_folder()}, limit);
  return {Health::kGood, "pruning",
          fmt::format("removed {} entries of {}, the least recently used; {} entries of {} are "
                      "left ({})",
                      pruning.removed_files, size_text(pruning.removed_bytes), pruning.left_files,
                      size_text(pruning.left_bytes), limit_text(limit))};
}

int run_doctor(const GlobalOptions& global, bool prunes) {
  const Paths paths = find_paths(global.kernel_roots());
  std::vector<Diagnosis> diagnoses;
  diagnoses.push_back(examine("NVRTC", check_compiler));
  diagnoses.push_back(examine("confinement", check_confinement));
  diagnoses.push_back(examine("devices", check_devices));
  diagnoses.push_back(examine("kernels", [&] { return check_kernels(paths); }));
  diagnoses.push_back(examine("host compiler", check_host_compiler));
  diagnoses.push_back(examine("database", [&] { return check_database(paths); }));
  diagnoses.push_back(examine("cache", check_cache));
  if (prunes) diagnoses.push_back(examine("pruning", prune));
  int code = 0;
  nlohmann::json json = {{"findings", nlohmann::json::array()}};
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.health == Health::kBad) code = 3;
    json["findings"].push_back({{"health", health_name(diagnosis.health)},
                                {"topic", diagnosis.topic},
                                {"text", diagnosis.text}});
    if (!global.json)
      print_text(global, fmt::format("{:<5}{:<15}{}\n", health_name(diagnosis.health),
                                     diagnosis.topic, diagnosis.text));
  }
  if (global.json) print_json(json);
  return code;
}

}  // namespace

void add_doctor_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "doctor", "Check that sweeps can run here, and say how to fix what is missing");
  add_common_options(*verb, context);
  verb->footer(kDoctorExample);
  const auto prunes = std::make_shared<bool>(false);
  verb->add_flag(
      "--prune", *prunes,
      "Also bring the cache within WARPWRIGHT_CACHE_LIMIT (4GiB without it): what was not "
      "used for the longest time is removed");
  verb->callback([context, prunes] {
    GlobalOptions& global = context.global;
    context.action = [&global, prunes] { return run_doctor(global, *prunes); };
  });
}

}  // namespace warpwright
