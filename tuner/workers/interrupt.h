// Handles Ctrl-C, SIGTERM and, unless it is ignored, SIGHUP: the first signal asks for a clean
// stop, the second ends the program at once.
#pragma once

namespace warpwright {

// Installs the handlers for its lifetime and restores the old ones. Only one may exist at a time.
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
