#include "sweep/sweep_notices.h"

#include <fmt/format.h>

#include "provenance/kernel_sources.h"

namespace warpwright {

void SweepNotices::report_edits() {
  for (const std::string& line : edits_.news()) progress_.say(line);
}

void SweepNotices::report_large_inputs() {
  const std::vector<KernelSource> sources =
      kernel_sources(plan_.kernel, plan_.kernel.variants.front(), plan_.include_folders);
  for (const std::string& name : inputs_left_out(sources))
    progress_.say(fmt::format(
        "{} is too large to be stored with the results; `warpwright repro` will need it at its "
        "place",
        name));
}

void SweepNotices::report_remarks(std::size_t board, const std::string& variant,
                                  const std::vector<ContractRemark>& remarks) {
  const std::string& problem = plan_.boards[board].summary.problem_text;
  for (const std::string& text : describe(contracts_.record(board, variant, remarks)))
    progress_.say(fmt::format("warning: {}: {}", problem, text));
}

}  // namespace warpwright
