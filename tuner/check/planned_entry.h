// One entry of a baseline during a check: finds its configuration under the current contract,
// compiles both sides with the current compiler, sends requests to measuring workers, and makes the
// decisions that follow from these alone. Internal to check.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/baseline.h"
#include "check/check.h"
#include "check/check_report.h"
#include "compile/machine_code.h"
#include "device/device.h"
#include "provenance/source_names.h"
#include "provenance/source_place.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// The configuration of a baseline's entry under the current contract.
struct Candidate {
  // The reason if there is no such configuration: kMissing or kIllegal.
  std::optional<GateFinding> refusal;
  std::optional<Error> illegal;    // of a refusal of kIllegal: what is not legal, with its place
  Problem problem;                 // with all sizes filled in
  Configuration configuration;     // with defaults for new parameters
  std::vector<std::string> notes;  // values that had to be filled in
};

// Never throws because of the contract; such errors become the refusal.
[[nodiscard]] Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                                       const Problem& problem, const DeviceInfo& device);

// A kernel of the baseline or of today, with the folders that its compile jobs may include.
struct KernelSide {
  KernelSpec kernel;
  std::vector<std::filesystem::path> include_folders;  // its own, then the common headers
  [[nodiscard]] const std::filesystem::path& common_headers() const {
    return include_folders.back();
  }
};

struct EntrySide {
  std::shared_ptr<const KernelSide> of;
  Configuration configuration;
  Problem problem;  // with all sizes filled in
  CompileResult compiled;
  std::string machine_code;  // its hash
};

struct PlannedEntry {
  const BaselineEntry* recorded = nullptr;
  CheckEntry report;
  bool open = true;        // not yet decided
  bool runs = true;        // small enough for the device; otherwise only compiler figures count
  bool runs_cases = true;  // false: the contract's cases are neither compiled nor run
  bool same = false;       // machine code and launch are the same
  EntrySide baseline, candidate;
  std::vector<TrialRunner::CompiledCase> cases;  // cases of the candidate
  std::optional<Outcome> outcome;

  // Decides the entry.
  void decide(CheckState state, GateFindingKind kind, std::string message,
              std::optional<QuotedLocation> place = std::nullopt) {
    report.state = state;
    report.findings.push_back({kind, std::move(message), std::move(place)});
    open = false;
  }
  [[nodiscard]] SourceNames candidate_names() const {
    return {candidate.of->kernel, candidate.configuration.variant, candidate.of->common_headers()};
  }
  [[nodiscard]] SourceNames baseline_names() const {
    return {baseline.of->kernel, baseline.configuration.variant, baseline.of->common_headers()};
  }
};

// The largest traffic per launch, according to the contract, that is run on the emulator; counting
// more takes minutes.
inline constexpr double kLargestEmulatedBytes = 64.0 * (1 << 20);

// Returns every entry that concerns the device, with its candidate, or decided with the reason why
// it has none.
[[nodiscard]] std::vector<PlannedEntry> plan_entries(const Baseline& baseline, const Paths& paths,
                                                     const DeviceInfo& device);

// Compiles both sides and the candidates' cases, decides entries that do not compile, and marks
// those that are the same.
void compile_entries(const WorkerWorld& world, std::vector<PlannedEntry>& entries);

// Returns the compiler's full release, "13.0.88", as given in the PTX of the first entry: releases
// of one version may allocate registers differently. Falls back to NVRTC's own version, "13.0".
[[nodiscard]] std::string compiler_release(const WorkerWorld& world,
                                           const std::vector<PlannedEntry>& entries);

// Builds the request that checks an entry's candidate and, if `compare`, compares it.
[[nodiscard]] std::shared_ptr<const MeasureRequest> request_of(const WorkerWorld& world,
                                                               const PlannedEntry& entry,
                                                               bool compare, int noise_blocks);

// Asks about the entries at `which`, kernel by kernel, each in fresh processes; returns answers in
// the order of `which`.
[[nodiscard]] std::vector<MeasureAnswer> ask_all(
    const WorkerWorld& world, const std::vector<PlannedEntry>& entries,
    const std::vector<std::size_t>& which,
    const std::function<std::shared_ptr<const MeasureRequest>(const PlannedEntry&)>& request);

// Returns false, with the entry decided, unless the candidate was found correct.
bool accept_candidate(PlannedEntry& entry, MeasureAnswer answer);

// Reports the baseline's ties that are no longer ties of the candidate, on a device with a clock.
// After a source change one may win or fall behind, which calls for tuning again rather than for a
// fix to the kernel. Defined in check.cpp.
void check_ties(const WorkerWorld& world, const CheckOptions& options,
                std::vector<PlannedEntry>& entries);

}  // namespace warpwright
