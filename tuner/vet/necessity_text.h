// Prints which barriers, waits and fences are needed: a table in the order of the source, or JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "terminal/screen.h"
#include "vet/necessity_report.h"

namespace warpwright {

// For a kernel that is not clean: its findings, as vet_text() has them, and that nothing more was
// done.
[[nodiscard]] std::string necessity_text(const NecessityReport& report, bool colour,
                                         const Screen& screen = {});

// vet_json() and "necessity": [{"configuration_text": ..., "sites": [...]}], or null for a kernel
// that is not clean.
[[nodiscard]] nlohmann::json necessity_json(const NecessityReport& report);

}  // namespace warpwright
