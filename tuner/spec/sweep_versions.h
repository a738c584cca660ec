// Reads `version: [0..4]`, the presets that a sweep runs instead of the free space.
#pragma once

#include <string>
#include <vector>

#include "spec/sweep_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// The names of presets, each once: N selects the preset VN, a..b selects Va to Vb, and any other
// text selects the preset of that name. Throws Error (user) on a malformed or reversed range, and
// on a version that is not among `presets` or is given twice.
[[nodiscard]] std::vector<std::string> read_versions(const YamlReader& section,
                                                     const std::vector<Preset>& presets);

}  // namespace warpwright
