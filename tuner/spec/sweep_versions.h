// `version: [0..4]`: which presets a sweep runs instead of the free space.
#pragma once

#include <string>
#include <vector>

#include "spec/sweep_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// Names of presets, each once: N stands for the preset VN, a..b for Va to Vb, anything else for
// itself. Throws Error (user) on a malformed or reversed range, and on a version that is not among
// `presets` or is given twice.
[[nodiscard]] std::vector<std::string> read_versions(const YamlReader& section,
                                                     const std::vector<Preset>& presets);

}  // namespace warpwright
