// What `import` and `merge` print: per file how many rows were new and how many were known.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/screen.h"
#include "exchange/merge/merge.h"

namespace warpwright {

// `formats` has one word per file, or none at all. Ends in a newline.
[[nodiscard]] std::string merge_report_text(const MergeReport& report,
                                            const std::vector<std::string>& formats,
                                            const Screen& screen = {});

// {"files":[{"file","trials":{"added","known"},"runs":...,"kernels","devices","rankings",
//   "ceilings"}],"renumbered"}
[[nodiscard]] nlohmann::json merge_report_json(const MergeReport& report);

// For MergeOptions::before_renumbering: refuses while another process has the database open, which
// may refer to trials by the numbers that they have now.
void refuse_renumbering_in_use(const std::string& database);

}  // namespace warpwright
