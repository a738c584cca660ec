#include "core/process/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "core/process/memory_limit.h"

namespace warpwright {
namespace {

Error start_error(const std::string& program, std::string_view step, int reason) {
  return environment_error(
      fmt::format("cannot start worker '{}': {}: {}", program, step, std::strerror(reason)));
}

// The worker's 0, 1 and 2 are made with dup2; no descriptor still to be copied may be among them.
FileDescriptor above_stdio(FileDescriptor descriptor) {
  if (descriptor.get() > STDERR_FILENO) return descriptor;
  return FileDescriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Ends {
  FileDescriptor read, write;
};

Ends make_pipe(const std::string& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw start_error(program, "pipe", errno);
  return {above_stdio(FileDescriptor(ends[0])), above_stdio(FileDescriptor(ends[1]))};
}

Ends make_socket_pair(const std::string& program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw start_error(program, "socketpair", errno);
  }
  return {above_stdio(FileDescriptor(ends[0])), above_stdio(FileDescriptor(ends[1]))};
}

// Searches PATH as execvp would, but before the fork, because execvp may allocate.
std::string find_in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  throw environment_error(fmt::format("cannot start worker '{}': no such program in PATH", name));
}

std::vector<std::string> merged_environment(const std::vector<std::string>& extra) {
  std::vector<std::string> merged = extra;
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(extra.begin(), extra.end(), [&](const std::string& own) {
      return name_of(own) == name_of(*entry);
    });
    if (!replaced) merged.emplace_back(*entry);
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Everything that the child needs, prepared before the fork.
struct ChildPlan {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int in, out, err, failure;
  pid_t parent;
  rlim_t private_bytes;
};

// Skipped on systems without /proc or that forbid this.
void offer_to_the_oom_killer() {
  const int descriptor = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t put = ::write(descriptor, "1000", 4);
  ::close(descriptor);
}

// Runs in the child until exec; only async-signal-safe calls are allowed.
[[noreturn]] void become_worker(const ChildPlan& plan) {
  const auto fail = [&plan] {
    const int reason = errno;
    // The parent is reading; if it is not, there is no one to report to.
    [[maybe_unused]] const ssize_t put = ::write(plan.failure, &reason, sizeof(reason));
    ::_exit(127);
  };
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);  // a file size limit causes an ordinary error
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent died before the line above

  // A small stack (`ulimit -s`) is raised to the usual size if that is allowed.
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kUsualStackBytes) {
    stack.rlim_cur = std::min<rlim_t>(kUsualStackBytes, stack.rlim_max);
    ::setrlimit(RLIMIT_STACK, &stack);
  }

  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (plan.private_bytes != 0) {
    const rlimit limit{plan.private_bytes, plan.private_bytes};
    // A limit above an existing hard limit is rejected; the existing one then applies.
    if (::setrlimit(RLIMIT_DATA, &limit) != 0 && errno != EPERM) fail();
  }
  offer_to_the_oom_killer();
  if (::dup2(plan.in, STDIN_FILENO) < 0 || ::dup2(plan.out, STDOUT_FILENO) < 0 ||
      ::dup2(plan.err, STDERR_FILENO) < 0) {
    fail();
  }
  // Also closes descriptors that a library opened without O_CLOEXEC. Kernels before 5.11 do not
  // support this; our own descriptors have the flag anyway.
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
  ::execve(plan.program, plan.arguments, plan.environment);
  fail();
  ::_exit(127);
}

}  // namespace

void FileDescriptor::reset() {
  if (value_ >= 0) ::close(std::exchange(value_, -1));
}

SpawnedWorker spawn_worker(std::vector<std::string> arguments, const WorkerLimits& limits,
                           const std::vector<std::string>& extra_environment) {
  WARPWRIGHT_CHECK(!arguments.empty(), "a worker needs a program");
  const std::string name = arguments[0];
  const std::string program = find_in_path(name);
  std::vector<std::string> environment = merged_environment(extra_environment);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> environment_pointers = pointers(environment);

  Ends in = make_socket_pair(name);
  Ends out = make_pipe(name);
  Ends err = make_pipe(name);
  Ends failure = make_pipe(name);
  const ChildPlan plan{
      program.c_str(),     argument_pointers.data(), environment_pointers.data(), in.read.get(),
      out.write.get(),     err.write.get(),          failure.write.get(),         ::getpid(),
      limits.private_bytes};

  // No signal handler of the parent may run in the child while both still share handlers.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become_worker(plan);
  const int fork_reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) throw start_error(name, "fork", fork_reason);

  in.read.reset();
  out.write.reset();
  err.write.reset();
  failure.write.reset();
  // The pipe closes on exec: end of file means that the program has started.
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(failure.read.get(), &reason, sizeof(reason));
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof(reason))) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    throw environment_error(
        fmt::format("cannot start worker '{}': {}", name, std::strerror(reason)));
  }
  ::fcntl(out.read.get(), F_SETFL, O_NONBLOCK);
  return {pid, std::move(in.write), std::move(out.read), std::move(err.read)};
}

}  // namespace warpwright
