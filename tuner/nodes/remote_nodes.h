// Rank 0's side: every other rank as a WorkerNode. It starts workers there, hands frames over and
// takes theirs, and notices a rank that is gone: nothing can be sent to it, or nothing was heard of
// it for a while (agents say that they live every second). What comes from a lost rank later is
// ignored.
//
// Orders, to an agent: {"do":
// "describe"|"claim"|"start"|"send"|"blobs"|"kill"|"drop"|"alive"|"quit",
// ...}. Reports, from one: {"is": "node"|"said"|"claimed"|"started"|"frame"|"want"|"closed"|"gone"|
// "alive"|"leaving"|"bye", ...}. Both are CBOR; node_agent.cpp and remote_nodes.cpp say what is in
// them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nodes/node_link.h"
#include "workers/worker_node.h"

namespace warpwright {

struct NodeTimes {
  std::chrono::milliseconds alive{1'000};     // between signs of life
  std::chrono::milliseconds silence{20'000};  // after which a rank counts as lost
};
// With $WARPWRIGHT_RANK_SILENCE ("20s") in force. Throws Error (user) on another value.
[[nodiscard]] NodeTimes node_times_from_environment();

class RemoteNodes final : public WorkerNodes {
 public:
  // `link` must outlive it.
  explicit RemoteNodes(NodeLink& link, const NodeTimes& times = {});
  ~RemoteNodes() override;  // tells all agents to end, and hears them out
  RemoteNodes(const RemoteNodes&) = delete;
  RemoteNodes& operator=(const RemoteNodes&) = delete;

  [[nodiscard]] const std::vector<WorkerNode>& gather() override;
  void on_lost(std::function<void(const std::string& line, bool last)> told) override;
  // Whether every rank is there still.
  [[nodiscard]] bool complete() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
