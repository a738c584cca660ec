// Which barriers, waits and fences of a kernel are needed, as plain data: filled by
// run/necessity, printed by necessity_text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sync_site.h"
#include "vet/vet_report.h"

namespace warpwright {

enum class Necessity {
  kNotReached,  // no case executes it
  kNotNeeded,   // without it the cases are as before, under the schedules that ran
  kNotDecided,  // leaving it out shows nothing here, or gave no result
  kNeeded,
};
// The name in tables and JSON: "no case needs it".
[[nodiscard]] const char* necessity_name(Necessity necessity);

// The time of a case by the emulator's model, with and without a site.
struct ModelledCost {
  std::string case_name;
  double with_us = 0;
  double without_us = 0;
};

struct SiteVerdict {
  SyncSite site;  // with locations as VetHazard has them
  Necessity verdict = Necessity::kNotReached;
  // If it is needed: the first finding without it, or the limit that was reached without it. The
  // command that reproduces it is for this one case.
  std::optional<VetHazard> prevents;
  // The limit, or why it was not decided.
  std::string reason;
  std::string case_name;  // the case that needs it
  std::optional<ModelledCost> cost;
};

// The sites of one configuration, or of all launch comments of a file, in the order of the source.
struct NecessityTable {
  std::string configuration_text;  // empty for launch comments
  std::vector<SiteVerdict> sites;
};

struct NecessityReport {
  VetReport vetted;  // with everything in place
  // Nothing unless `vetted` is clean: without a barrier a broken kernel is as broken as with it.
  std::vector<NecessityTable> tables;
};

}  // namespace warpwright
