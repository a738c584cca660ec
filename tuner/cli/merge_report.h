// The output of `import` and `merge`: for each file, the number of new and of known rows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "exchange/merge/merge.h"
#include "terminal/screen.h"

namespace warpwright {

// `formats` has one word per file, or is empty. The text ends in a newline.
[[nodiscard]] std::string merge_report_text(const MergeReport& report,
                                            const std::vector<std::string>& formats,
                                            const Screen& screen = {});

// {"files":[{"file","trials":{"added","known"},"runs":...,"kernels","devices","rankings",
//   "ceilings"}],"renumbered"}
[[nodiscard]] nlohmann::json merge_report_json(const MergeReport& report);

// A callback for MergeOptions::before_renumbering: refuses while another process has the database
// open, since it may refer to trials by their current numbers.
void refuse_renumbering_in_use(const std::string& database);

}  // namespace warpwright
