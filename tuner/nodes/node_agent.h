// The agent on every rank except 0: runs workers of its own machine for rank 0, which decides what
// they do. Its program, folders, memory limits and device locks are those of its machine; it reads
// no sweep and writes no database. It ends when rank 0 orders it to or is silent for too long, and
// ends its workers with it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "core/files.h"
#include "nodes/node_link.h"
#include "nodes/packed_message.h"
#include "workers/device_query.h"

namespace warpwright {

struct AgentOptions {
  std::size_t cache_bytes = kBlobCacheBytes;
  std::filesystem::path program = own_executable();
  std::function<DeviceList()> devices = query_devices;
};

// How an agent ended.
struct AgentEnd {
  bool complete = false;  // rank 0 ordered it, and no rank is lost
  std::string why;        // the reason for an end without an order
};

// `link` must live as long as the process, because threads that wait for a lock are not joined.
[[nodiscard]] AgentEnd run_node_agent(NodeLink& link, AgentOptions options = {});

}  // namespace warpwright
