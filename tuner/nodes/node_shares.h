// What each rank has of its host, where several are on one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

struct NodeHost {
  std::string host;
  std::vector<int> processors;  // that the rank may run on
  std::optional<std::uint64_t> available_memory;
};

struct NodeShare {
  int cores = 1;
  std::optional<std::uint64_t> available_memory;
};

// Processors that several ranks of a host may run on are divided among them, as is its memory. At
// least one core each.
[[nodiscard]] std::vector<NodeShare> share_hosts(const std::vector<NodeHost>& ranks);

// Of the calling process.
[[nodiscard]] NodeHost this_host();

}  // namespace warpwright
