// Makes the task of a configuration that is to be tried, with everything that identifies it, and
// the compile jobs that it needs. The texts of sources are read once in a sweep.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compile/compile_pool.h"
#include "compile/include_scan.h"
#include "sweep/run_records.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"

namespace warpwright {

// A task of which nothing is compiled yet.
struct BuiltTrial {
  TrialTask task;
  CompileJob job;  // of the problem itself
};

class TrialBuilder {
 public:
  // All arguments must outlive this. The records must have identified the kernel's variants.
  TrialBuilder(const SweepPlan& plan, const RunRecords& records, const CompileService& compilers,
               SweepHost& host)
      : plan_(plan), records_(records), compilers_(compilers), host_(host) {}

  [[nodiscard]] BuiltTrial build(const TrialSource::Question& question);

 private:
  [[nodiscard]] const std::vector<SourceFile>& sources_of(const CompileJob& job);

  const SweepPlan& plan_;
  const RunRecords& records_;
  const CompileService& compilers_;
  SweepHost& host_;
  std::map<std::string, std::vector<SourceFile>> sources_;  // of jobs; by source and options
};

}  // namespace warpwright
