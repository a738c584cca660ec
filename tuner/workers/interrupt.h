// Ctrl-C, SIGTERM and, unless it is ignored, SIGHUP: the first asks for a clean stop, the second
// ends the program at once.
#pragma once

namespace warpwright {

// Installs the handlers for its lifetime and restores the old ones. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  // True once a signal has arrived.
  [[nodiscard]] static bool requested();
};

}  // namespace warpwright
