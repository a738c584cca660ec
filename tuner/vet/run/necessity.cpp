#include "vet/run/necessity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/finding.h"
#include "provenance/source_names.h"
#include "terminal/progress.h"
#include "trial/validation/vet_schedules.h"
#include "vet/run/vet.h"
#include "vet/run/vet_hazard.h"
#include "vet/run/vet_plan.h"
#include "workers/worker_recipe.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

// A row while its verdict may still change.
struct OpenSite {
  SyncSite asked;  // as workers name it
  SiteVerdict row;
};

struct OpenTable {
  std::string configuration_text;
  std::vector<OpenSite> sites;
};

// The runs of one configuration, with what was found in each of them.
struct ConfigurationRuns {
  std::span<const VetRun> runs;
  std::span<const VettedCase> vetted;
};

std::vector<ConfigurationRuns> by_configuration(const VetSubject& subject,
                                                const std::vector<VettedCase>& vetted) {
  std::vector<ConfigurationRuns> all;
  const std::vector<VetRun>& runs = subject.runs;
  for (std::size_t first = 0, end = 0; first < runs.size(); first = end) {
    const std::string text = runs[first].configuration.to_string();
    while (end < runs.size() && runs[end].configuration.to_string() == text) ++end;
    all.push_back({{runs.data() + first, end - first}, {vetted.data() + first, end - first}});
  }
  return all;
}

SyncSite quoted_site(const SourceNames& names, SyncSite site) {
  site.where = quoted(names, site.where);
  for (QuotedLocation& call : site.callers) call = quoted(names, call);
  for (QuotedLocation& place : site.also) place = quoted(names, place);
  return site;
}

// Adds the sites of the cases' code that the table lacks. Cases may be compiled separately.
void add_sites(std::span<const VettedCase> cases, const SourceNames& names, OpenTable& table) {
  for (const VettedCase& one : cases) {
    for (const SyncSite& site : one.sites) {
      const bool known =
          std::any_of(table.sites.begin(), table.sites.end(),
                      [&](const OpenSite& open) { return same_site(open.asked, site); });
      if (known) continue;
      OpenSite& open = table.sites.emplace_back();
      open.asked = site;
      open.row.site = quoted_site(names, site);
      if (site.untestable.empty()) continue;
      open.row.verdict = Necessity::kNotDecided;
      open.row.reason = site.untestable;
    }
  }
}

// The modelled times of the case that takes longest, of those that ended both with and without.
std::optional<ModelledCost> cost_of(std::span<const VettedCase> with,
                                    const std::vector<VettedCase>& without) {
  std::optional<ModelledCost> cost;
  for (std::size_t i = 0; i < std::min(with.size(), without.size()); ++i) {
    if (with[i].modelled_us == 0 || without[i].modelled_us == 0) continue;
    if (!cost || with[i].modelled_us > cost->with_us)
      cost = {with[i].name, with[i].modelled_us, without[i].modelled_us};
  }
  return cost;
}

// The verdict on a site from what a worker found without it. `with` are the same cases with it.
SiteVerdict verdict_of(const MeasureAnswer& answer, const ConfigurationRuns& of,
                       const SourceNames& names, const VetOptions& options,
                       bool of_launch_comment) {
  SiteVerdict row;
  const VetOutcome* found = answer.outcome.vet();
  if (found == nullptr) {
    // The watchdog's limit is a limit, too; anything else says nothing about the kernel.
    const Outcome& outcome = answer.outcome;
    row.verdict = outcome.status == Status::kTimeout ? Necessity::kNeeded : Necessity::kNotDecided;
    row.reason = fmt::format("{}: {}", status_name(outcome.status), outcome.reason);
    return row;
  }
  row.cost = cost_of(of.vetted, found->cases);
  bool passed = false;
  for (const VettedCase& one : found->cases) {
    passed = passed || one.passed;
    if (!one.objects()) continue;
    row.verdict = Necessity::kNeeded;
    row.case_name = one.name;
    if (one.findings.empty()) {
      row.reason = one.undecided.empty() ? one.reason : one.undecided;
      return row;
    }
    std::vector<Finding> findings;
    for (const VetFinding& finding : one.findings) findings.push_back(finding.finding);
    const auto first = static_cast<std::size_t>(&first_cause(findings) - findings.data());
    row.prevents = hazard_of(one.findings[first], one, of.runs.front(), names,
                             options.replay_prefix + " --necessity", of_launch_comment);
    return row;
  }
  row.verdict = passed ? Necessity::kNotNeeded : Necessity::kNotReached;
  return row;
}

// Leaves out each site of the table that no earlier launch comment needs.
void try_sites(const VetSubject& subject, const ConfigurationRuns& of, const SourceNames& names,
               const VetOptions& options, const WorkerWorld& world, bool of_launch_comment,
               OpenTable& table) {
  CasesToVet asked;
  asked.configuration = of.runs.front().configuration;
  for (const VetRun& run : of.runs) asked.cases.push_back(run.test);
  asked.schedules.first_seed = options.first_seed;
  asked.schedules.schedules = options.schedules;
  asked.schedules.instructions = options.instructions;
  asked.schedules.trust_cas_reads = options.trust_cas_reads;
  std::vector<OpenSite*> tried;
  std::vector<std::shared_ptr<const MeasureRequest>> requests;
  for (OpenSite& open : table.sites) {
    const bool here = std::any_of(of.vetted.begin(), of.vetted.end(), [&](const VettedCase& one) {
      return std::any_of(one.sites.begin(), one.sites.end(),
                         [&](const SyncSite& site) { return same_site(site, open.asked); });
    });
    if (!here || open.row.verdict == Necessity::kNeeded || !open.asked.untestable.empty()) continue;
    auto request = std::make_shared<MeasureRequest>();
    asked.schedules.without = open.asked;
    request->what = asked;
    request->launch_time_limit = options.time;
    requests.push_back(std::move(request));
    tried.push_back(&open);
  }
  if (requests.empty()) return;
  const std::vector<MeasureAnswer> answers = world.ask(subject.kernel, std::move(requests));
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (answers[i].error) throw *answers[i].error;
    SiteVerdict row = verdict_of(answers[i], of, names, options, of_launch_comment);
    // Values of Necessity are ordered: the launch comment that says most decides.
    if (row.verdict < tried[i]->row.verdict) continue;
    row.site = std::move(tried[i]->row.site);
    tried[i]->row = std::move(row);
  }
}

// Orders sites as a reader of the kernel meets them: by the outermost call, then by those below.
void sort_by_place(std::vector<SiteVerdict>& sites) {
  using Place = std::tuple<std::string, int, int>;
  const auto key = [](const SiteVerdict& row) {
    std::vector<Place> path;
    for (auto call = row.site.callers.rbegin(); call != row.site.callers.rend(); ++call)
      path.emplace_back(call->file, call->line, call->column);
    path.emplace_back(row.site.where.file, row.site.where.line, row.site.where.column);
    return std::pair(std::move(path), row.site.opcode);
  };
  std::stable_sort(sites.begin(), sites.end(),
                   [&](const SiteVerdict& a, const SiteVerdict& b) { return key(a) < key(b); });
}

}  // namespace

NecessityReport vet_necessity(const VetOptions& options, const Paths& paths) {
  WARPWRIGHT_CHECK(options.necessity, "the sites of the kernel are listed");
  NecessityReport report;
  report.vetted.schedules = options.schedules;
  const DeviceInfo device = vetting_device(options.device);
  report.vetted.device = device.id;
  Progress progress(stderr_progress("vet", options.quiet));
  WorkerOptions workers;
  workers.seed = options.first_seed;
  workers.emulator_workers = options.emulator_workers;
  const WorkerWorld world = make_worker_world(device, paths, workers, progress);
  const std::vector<VetSubject> subjects = plan_vetting(options, paths, world, report.vetted);
  const std::vector<std::vector<VettedCase>> vetted =
      vet_planned(subjects, options, paths, world, report.vetted);
  const bool of_comments = report.vetted.launch_comments > 0;
  std::vector<OpenTable> tables;
  for (std::size_t i = 0; i < subjects.size() && report.vetted.clean(); ++i) {
    for (const ConfigurationRuns& of : by_configuration(subjects[i], vetted[i])) {
      const Configuration& configuration = of.runs.front().configuration;
      const SourceNames names(subjects[i].kernel, configuration.variant, paths.common_headers());
      // The launch comments of a file share a table, because they share its kernels.
      if (tables.empty() || !of_comments)
        tables.push_back({of_comments ? "" : configuration.to_string(), {}});
      add_sites(of.vetted, names, tables.back());
      try_sites(subjects[i], of, names, options, world, of_comments, tables.back());
    }
  }
  progress.finish();
  for (OpenTable& open : tables) {
    NecessityTable& table = report.tables.emplace_back();
    table.configuration_text = std::move(open.configuration_text);
    for (OpenSite& site : open.sites) table.sites.push_back(std::move(site.row));
    sort_by_place(table.sites);
  }
  return report;
}

}  // namespace warpwright
