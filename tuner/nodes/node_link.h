// The link between the ranks of a sweep: carries whole messages, in order between any two ranks.
// MPI is one implementation (mpi/mpi_link.h) and tests have another; nothing else here depends on
// either.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace warpwright {

struct NodeMessage {
  int from = 0;
  std::string bytes;
  bool lost = false;  // instead of a message: nothing can be sent to that rank any more
};

class NodeLink {
 public:
  virtual ~NodeLink() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  // May be called from any thread; never waits. A message that cannot be delivered is dropped.
  virtual void send(int to, std::string bytes) = 0;
  // Sends nothing more to that rank and discards unsent messages to it.
  virtual void abandon(int rank) = 0;
  // Called by one thread. Returns nullopt when nothing arrived in time.
  [[nodiscard]] virtual std::optional<NodeMessage> receive(std::chrono::milliseconds timeout) = 0;
};

}  // namespace warpwright
