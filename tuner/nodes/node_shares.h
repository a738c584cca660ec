// Divides the resources of a host among the ranks that run on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

struct NodeHost {
  std::string host;
  std::vector<int> processors;  // those the rank may run on
  std::optional<std::uint64_t> available_memory;
};

struct NodeShare {
  int cores = 1;
  std::optional<std::uint64_t> available_memory;
};

// Divides the processors that several ranks of a host may run on, and the host's memory, among
// them. Each rank gets at least one core.
[[nodiscard]] std::vector<NodeShare> share_hosts(const std::vector<NodeHost>& ranks);

// Describes the host of the calling process.
[[nodiscard]] NodeHost this_host();

}  // namespace warpwright
