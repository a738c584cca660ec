// Every rank but 0: runs workers of its own machine for rank 0, which decides what they do. Its
// program, folders, memory limits and device locks are those of its machine; it reads no sweep and
// writes no database. It ends when rank 0 says so or is silent for too long, and takes its workers
// with it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "core/files.h"
#include "nodes/blob_cache.h"
#include "nodes/node_link.h"
#include "workers/device_query.h"

namespace warpwright {

struct AgentOptions {
  std::size_t cache_bytes = kBlobCacheBytes;
  std::filesystem::path program = own_executable();
  std::function<DeviceList()> devices = query_devices;
};

// How an agent came to its end.
struct AgentEnd {
  bool complete = false;  // rank 0 said so, and every rank is there
  std::string why;        // of an end that rank 0 did not ask for
};

// `link` must live as long as the process: what waits for a lock is not waited for.
[[nodiscard]] AgentEnd run_node_agent(NodeLink& link, AgentOptions options = {});

}  // namespace warpwright
