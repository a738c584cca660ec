#include "run/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace warpwright {
namespace {

// A signal handler can only talk to the rest of the program through such a flag.
volatile std::sig_atomic_t interrupts = 0;
struct sigaction old_interrupt_action;
struct sigaction old_terminate_action;

void on_signal(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) _exit(130);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupts = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_action);
  sigaction(SIGTERM, &action, &old_terminate_action);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_action, nullptr);
  sigaction(SIGTERM, &old_terminate_action, nullptr);
}

bool InterruptGuard::requested() { return interrupts > 0; }

}  // namespace warpwright
