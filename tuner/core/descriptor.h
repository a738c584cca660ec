// An owned file descriptor, closed when the object is destroyed.
#pragma once

#include <unistd.h>

#include <utility>

namespace warpwright {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  // Closes the descriptor now; returns false if the system reports a late write error (NFS,
  // quotas).
  [[nodiscard]] bool close_now() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

}  // namespace warpwright
