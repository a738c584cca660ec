#include "mpi/mpi_link.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr int kTag = 1;
constexpr std::size_t kPieceBytes = 8u << 20;
constexpr std::size_t kMaxFlying = 2;  // pieces to one rank
// The last byte of a piece indicates whether the message continues.
constexpr char kLast = 0, kMore = 1;
// How long the thread sleeps when it is idle: the short time soon after activity, the long one
// later.
constexpr microseconds kShortNap{100}, kLongNap{1'000};
constexpr std::chrono::milliseconds kBusyFor{50};

}  // namespace

MpiLink::MpiLink() {
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &ranks_);
  peers_.resize(static_cast<std::size_t>(ranks_));
}

// The communicator is not freed: that call involves all ranks, and one may be gone.
MpiLink::~MpiLink() = default;

void MpiLink::send(int to, std::string bytes) {
  {
    const std::lock_guard lock(mutex_);
    outgoing_.emplace_back(to, std::move(bytes));
  }
  to_send_.notify_one();
}

void MpiLink::abandon(int rank) { send(rank, ""); }

std::optional<NodeMessage> MpiLink::receive(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, timeout, [this] { return !incoming_.empty(); })) return std::nullopt;
  NodeMessage message = std::move(incoming_.front());
  incoming_.pop_front();
  return message;
}

void MpiLink::deliver(NodeMessage message) {
  {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(message));
  }
  arrived_.notify_one();
}

void MpiLink::lose(int rank) {
  Peer& peer = peers_.at(static_cast<std::size_t>(rank));
  if (std::exchange(peer.lost, true)) return;
  peer.waiting.clear();
  peer.left = 0;
  deliver({rank, "", true});
}

bool MpiLink::collect_outgoing(microseconds wait) {
  std::deque<std::pair<int, std::string>> taken;
  {
    std::unique_lock lock(mutex_);
    to_send_.wait_for(lock, wait, [this] { return !outgoing_.empty(); });
    taken.swap(outgoing_);
  }
  for (auto& [to, bytes] : taken) {
    Peer& peer = peers_.at(static_cast<std::size_t>(to));
    if (bytes.empty()) {
      lose(to);
    } else if (!peer.lost) {
      peer.waiting.push_back(std::move(bytes));
    }
  }
  return !taken.empty();
}

bool MpiLink::start_pieces() {
  bool started = false;
  for (int to = 0; to < ranks_; ++to) {
    Peer& peer = peers_[static_cast<std::size_t>(to)];
    while (!peer.waiting.empty() && peer.flying < kMaxFlying) {
      const std::string& message = peer.waiting.front();
      const std::size_t bytes = std::min(kPieceBytes, message.size() - peer.left);
      const bool last = peer.left + bytes == message.size();
      Piece& piece = flying_.emplace_back();
      piece.to = to;
      piece.bytes.reserve(bytes + 1);
      piece.bytes.assign(message, peer.left, bytes);
      piece.bytes.push_back(last ? kLast : kMore);
      peer.left += bytes;
      if (last) {
        peer.waiting.pop_front();
        peer.left = 0;
      }
      started = true;
      if (MPI_Isend(piece.bytes.data(), static_cast<int>(piece.bytes.size()), MPI_BYTE, to, kTag,
                    world_, &piece.request) != MPI_SUCCESS) {
        flying_.pop_back();
        lose(to);
        break;
      }
      ++peer.flying;
    }
  }
  return started;
}

bool MpiLink::finish_pieces() {
  bool finished = false;
  for (auto piece = flying_.begin(); piece != flying_.end();) {
    int done = 0;
    const int result = MPI_Test(&piece->request, &done, MPI_STATUS_IGNORE);
    if (result == MPI_SUCCESS && done == 0) {
      ++piece;
      continue;
    }
    if (result != MPI_SUCCESS) lose(piece->to);
    --peers_[static_cast<std::size_t>(piece->to)].flying;
    piece = flying_.erase(piece);
    finished = true;
  }
  return finished;
}

bool MpiLink::take_incoming() {
  bool took = false;
  for (;;) {
    int there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, world_, &there, &status) != MPI_SUCCESS || there == 0)
      return took;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    const int from = status.MPI_SOURCE;
    Peer& peer = peers_.at(static_cast<std::size_t>(from));
    const std::size_t before = peer.coming.size();
    peer.coming.resize(before + static_cast<std::size_t>(bytes));
    took = true;
    if (MPI_Recv(peer.coming.data() + before, bytes, MPI_BYTE, from, kTag, world_,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      lose(from);
      return took;
    }
    const char end = peer.coming.back();
    peer.coming.pop_back();
    if (end == kLast) deliver({from, std::exchange(peer.coming, {})});
  }
}

bool MpiLink::idle() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
    return peer.lost || (peer.waiting.empty() && peer.flying == 0);
  });
}

bool MpiLink::carry(const std::function<bool()>& done, std::chrono::milliseconds patience) {
  Clock::time_point busy = Clock::now();
  std::optional<Clock::time_point> give_up;
  for (;;) {
    const bool napping = Clock::now() - busy > kBusyFor;
    bool worked = collect_outgoing(napping ? kLongNap : kShortNap);
    worked = start_pieces() || worked;
    worked = finish_pieces() || worked;
    worked = take_incoming() || worked;
    const Clock::time_point now = Clock::now();
    if (worked) busy = now;
    if (!give_up && done()) give_up = now + patience;
    if (!give_up) continue;
    if (idle() && !worked) return true;
    if (now > *give_up) return false;
  }
}

}  // namespace warpwright
