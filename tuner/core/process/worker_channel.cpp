#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/process/frame.h"
#include "core/process/subprocess.h"

namespace warpwright {
namespace {

int duplicate(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) {
    throw environment_error(fmt::format(
        "descriptor {} is not open: this program is a worker and is started by warpwright itself",
        descriptor));
  }
  return copy;
}

}  // namespace

WorkerChannel::WorkerChannel() : in_(duplicate(STDIN_FILENO)), out_(duplicate(STDOUT_FILENO)) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  // Nothing else may consume part of a frame.
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
}

WorkerChannel::~WorkerChannel() {
  ::close(in_);
  ::close(out_);
}

bool WorkerChannel::receive(nlohmann::json& message) {
  FrameReader frame;
  std::string piece;
  for (auto state = FrameReader::State::kIncomplete; state != FrameReader::State::kComplete;) {
    piece.resize(frame.wanted());
    const ssize_t got = ::read(in_, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;  // a frame truncated by the end of the parent is not a message
    state = frame.add(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    if (state == FrameReader::State::kMalformed) return false;
  }
  auto received = frame.take();
  if (!received) return false;
  message = std::move(*received);
  return true;
}

void WorkerChannel::send(const nlohmann::json& message) {
  static std::mutex one_at_a_time;  // a process has one channel
  const std::string frame = encode_frame(message);
  const std::lock_guard lock(one_at_a_time);
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t put = ::write(out_, frame.data() + sent, frame.size() - sent);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw environment_error("the process that started this worker is gone");
    sent += static_cast<std::size_t>(put);
  }
}

}  // namespace warpwright
