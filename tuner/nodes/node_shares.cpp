#include "nodes/node_shares.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/process/memory_limit.h"
#include "core/usable_cores.h"

namespace warpwright {

std::vector<NodeShare> share_hosts(const std::vector<NodeHost>& ranks) {
  std::map<std::string, int> on_host;
  std::map<std::pair<std::string, int>, int> users;  // ranks that may use a processor
  for (const NodeHost& rank : ranks) {
    ++on_host[rank.host];
    for (const int processor : rank.processors) ++users[{rank.host, processor}];
  }
  std::vector<NodeShare> shares;
  for (const NodeHost& rank : ranks) {
    double cores = 0;
    for (const int processor : rank.processors) cores += 1.0 / users[{rank.host, processor}];
    // Thirds add up to a little less than one.
    constexpr double kRounding = 1e-6;
    NodeShare share{std::max(1, static_cast<int>(std::floor(cores + kRounding))), std::nullopt};
    if (rank.available_memory)
      share.available_memory =
          *rank.available_memory / static_cast<std::uint64_t>(on_host[rank.host]);
    shares.push_back(share);
  }
  return shares;
}

NodeHost this_host() {
  NodeHost host;
  char name[256] = {};
  host.host = ::gethostname(name, sizeof(name) - 1) == 0 ? name : "unknown";
  host.processors = usable_processors();
  host.available_memory = available_memory_bytes();
  return host;
}

}  // namespace warpwright
