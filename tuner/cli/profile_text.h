// The output of `warpwright profile`: counters with explanations, figures derived from them, and
// source lines with their counts. Everything here is counted or modelled, and nothing is measured.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/profile.h"
#include "core/source_bundle.h"
#include "terminal/screen.h"

namespace warpwright {

struct ProfileHeading {
  std::string kernel;
  std::string problem;
  std::string device;  // "emu:sm_90a"
  std::string device_name;
  std::uint64_t sample_blocks = 0;
  std::shared_ptr<const SourceBundle> texts = {};  // files whose lines may be shown
};

// `lines` is the number of hottest source lines to show.
[[nodiscard]] std::string profile_text(const ProfileHeading& heading,
                                       const Configuration& configuration, const Profile& profile,
                                       std::size_t lines, const Screen& screen = {});

[[nodiscard]] nlohmann::json profile_json(const Configuration& configuration,
                                          const Profile& profile);
[[nodiscard]] nlohmann::json heading_json(const ProfileHeading& heading, nlohmann::json profiles);

}  // namespace warpwright
