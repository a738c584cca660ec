// NodeLink over MPI: point-to-point messages on a communicator of its own. They are carried by the
// one thread that started MPI (MPI_THREAD_FUNNELED), which sleeps when there is nothing to do.
// Messages are sent in pieces of 8 MiB, so that none is too large for MPI's counts and signs of
// life get through. A rank that an MPI call names in an error is lost (MPI_ERRORS_RETURN); most
// launchers end the job instead.
#pragma once

#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <vector>

#include "nodes/node_link.h"

namespace warpwright {

class MpiLink final : public NodeLink {
 public:
  // MPI must have been initialised by this thread.
  MpiLink();
  ~MpiLink() override;
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  void send(int to, std::string bytes) override;
  void abandon(int rank) override;
  [[nodiscard]] std::optional<NodeMessage> receive(std::chrono::milliseconds timeout) override;

  // Carries messages until `done`, and then until all sent messages have left or `patience` is
  // over. Returns true when all have left. Must be called by the thread that started MPI.
  bool carry(const std::function<bool()>& done, std::chrono::milliseconds patience);

 private:
  struct Piece {
    MPI_Request request = MPI_REQUEST_NULL;
    int to = 0;
    std::string bytes;
  };
  struct Peer {
    std::deque<std::string> waiting;  // messages to it; the first may have left in part
    std::size_t left = 0;             // bytes of the first that MPI has received
    std::size_t flying = 0;           // pieces
    std::string coming;               // of a message from it
    bool lost = false;
  };

  bool collect_outgoing(std::chrono::microseconds wait);
  bool start_pieces();
  bool finish_pieces();
  bool take_incoming();
  void lose(int rank);
  void deliver(NodeMessage message);
  [[nodiscard]] bool idle() const;

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
  std::vector<Peer> peers_;
  std::list<Piece> flying_;

  std::mutex mutex_;  // for the two queues
  std::condition_variable to_send_, arrived_;
  std::deque<std::pair<int, std::string>> outgoing_;  // an empty message: abandon that rank
  std::deque<NodeMessage> incoming_;
};

}  // namespace warpwright
