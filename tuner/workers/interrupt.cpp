#include "workers/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace warpwright {
namespace {

// A signal handler can communicate with the rest of the program only through such a flag.
volatile std::sig_atomic_t interrupts = 0;
struct sigaction old_interrupt_action;
struct sigaction old_terminate_action;
struct sigaction old_hangup_action;

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
  // A closing terminal sends SIGHUP, which asks for the same stop; under nohup it is ignored.
  sigaction(SIGHUP, nullptr, &old_hangup_action);
  if (old_hangup_action.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_action, nullptr);
  sigaction(SIGTERM, &old_terminate_action, nullptr);
  sigaction(SIGHUP, &old_hangup_action, nullptr);
}

bool InterruptGuard::requested() { return interrupts > 0; }

}  // namespace warpwright
