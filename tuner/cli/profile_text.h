// What `warpwright profile` prints: counters with what they mean, figures derived from them, and
// the source with counts beside its lines. Everything here is counted or modelled, nothing
// measured.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/profile.h"
#include "core/screen.h"
#include "core/source_bundle.h"

namespace warpwright {

struct ProfileHeading {
  std::string kernel;
  std::string problem;
  std::string device;  // "emu:sm_90a"
  std::string device_name;
  std::uint64_t sample_blocks = 0;
  std::shared_ptr<const SourceBundle> texts = {};  // the files whose lines may be shown
};

// `lines`: so many of the hottest source lines.
[[nodiscard]] std::string profile_text(const ProfileHeading& heading,
                                       const Configuration& configuration, const Profile& profile,
                                       std::size_t lines, const Screen& screen = {});

[[nodiscard]] nlohmann::json profile_json(const Configuration& configuration,
                                          const Profile& profile);
[[nodiscard]] nlohmann::json heading_json(const ProfileHeading& heading, nlohmann::json profiles);

}  // namespace warpwright
