// Runs work in a forked child, which is killed, runs out of disk, or runs without root's rights.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <functional>
#include <string>

namespace warpwright::testing {

class ChildProcess {
 public:
  // `work` receives a descriptor to write to; the parent reads the output.
  explicit ChildProcess(const std::function<void(int)>& work) {
    int ends[2];
    if (pipe(ends) != 0) std::terminate();
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      try {
        work(ends[1]);
      } catch (const std::exception& error) {
        say(ends[1], error.what());
      }
      _exit(0);
    }
    close(ends[1]);
    read_end_ = ends[0];
  }
  ~ChildProcess() {
    kill_and_wait();
    close(read_end_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  static void say(int descriptor, const std::string& text) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) _exit(1);
  }

  void kill_and_wait() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  // Waits until the child has written something or has ended.
  void wait_for_output() {
    if (text_.empty()) read_some();
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  // Everything the child wrote, until it ends or is killed.
  std::string read_all() {
    while (read_some()) {
    }
    return text_;
  }

 private:
  bool read_some() {
    char buffer[4096];
    const ssize_t got = read(read_end_, buffer, sizeof buffer);
    if (got > 0) text_.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t pid_ = 0;
  int read_end_ = -1;
  std::string text_;
};

// The result or the message of `work`, run by a user to whom permission bits apply.
inline std::string result_without_root(const std::function<std::string()>& work) {
  return ChildProcess([&](int out) {
           constexpr uid_t kNobody = 65534;
           if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) {
             ChildProcess::say(out, "cannot drop root");
             return;
           }
           ChildProcess::say(out, work());
         })
      .read_all();
}

}  // namespace warpwright::testing
