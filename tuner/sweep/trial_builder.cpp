#include "sweep/trial_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sweep/trial_record.h"
#include "trial/launch/jobs.h"

namespace warpwright {

// Finding the files that a source includes takes as long as hashing all of them; the texts are read
// once.
const std::vector<SourceFile>& TrialBuilder::sources_of(const CompileJob& job) {
  std::vector<SourceFile>& files =
      sources_[fmt::format("{}\n{}", job.source.string(), fmt::join(job.extra_options, "\n"))];
  const auto depends = [](const SourceFile& file) { return file.computes; };  // on macros, too
  if (files.empty() || std::any_of(files.begin(), files.end(), depends))
    files = collect_sources(job);
  return files;
}

BuiltTrial TrialBuilder::build(const TrialSource::Question& question) {
  const WorkSpan span(host_, EngineWork::kJobs);
  const PlannedBoard& board = plan_.boards[question.board];
  const DeviceInfo& device = plan_.device_of(question.board);
  BuiltTrial built;
  TrialTask& task = built.task;
  task.question = question;
  CompiledTrial& trial = task.trial();
  trial.configuration = board.space->at(question.index);
  trial.problem = board.summary.problem;
  built.job = make_compile_job(plan_.kernel, trial.configuration, trial.problem, device,
                               plan_.include_folders);
  TrialIdentity& identity = task.identity;
  identity.variant_hash = records_.variant_hash(trial.configuration.variant);
  identity.options = built.job.options();
  task.compile_key =
      portable_key(built.job, sources_of(built.job)) + ' ' + compilers_.nvrtc_version();
  task.device = board.device;
  identity.started_utc = utc_now();
  task.case_key = device.id + ' ' + identity.variant_hash + ' ' + trial.configuration.to_string();
  return built;
}

}  // namespace warpwright
