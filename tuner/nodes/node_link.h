// How the ranks of a sweep reach each other: whole messages, in order between any two ranks. MPI is
// one such link (mpi/mpi_link.h), tests have another; nothing else here knows of either.
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
  // From any thread; never waits. What cannot be delivered is dropped.
  virtual void send(int to, std::string bytes) = 0;
  // Nothing more is sent to that rank, and what has not left is forgotten.
  virtual void abandon(int rank) = 0;
  // One thread. nullopt when nothing came in time.
  [[nodiscard]] virtual std::optional<NodeMessage> receive(std::chrono::milliseconds timeout) = 0;
};

}  // namespace warpwright
