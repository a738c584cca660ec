// Rank 0's side: presents every other rank as a WorkerNode. It starts workers there, exchanges
// frames with them, and notices a lost rank: nothing can be sent to it, or nothing was received
// from it for a while (agents send a sign of life every second). Later messages of a lost rank are
// ignored.
//
// Orders, to an agent: {"do":
// "describe"|"claim"|"start"|"send"|"blobs"|"kill"|"drop"|"alive"|"quit",
// ...}. Reports, from one: {"is": "node"|"said"|"claimed"|"started"|"frame"|"want"|"closed"|"gone"|
// "alive"|"leaving"|"bye", ...}. Both are CBOR; node_agent.cpp and remote_nodes.cpp define their
// contents.
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
// Applies $WARPWRIGHT_RANK_SILENCE ("20s"). Throws Error (user) on an invalid value.
[[nodiscard]] NodeTimes node_times_from_environment();

class RemoteNodes final : public WorkerNodes {
 public:
  // `link` must outlive this.
  explicit RemoteNodes(NodeLink& link, const NodeTimes& times = {});
  ~RemoteNodes() override;  // orders all agents to end, and reads their last reports
  RemoteNodes(const RemoteNodes&) = delete;
  RemoteNodes& operator=(const RemoteNodes&) = delete;

  [[nodiscard]] const std::vector<WorkerNode>& gather() override;
  void on_lost(std::function<void(const std::string& line, bool last)> told) override;
  // Returns whether no rank is lost.
  [[nodiscard]] bool complete() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
