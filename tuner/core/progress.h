// Progress on stderr: a bar that redraws on a terminal, and plain lines at a slow pace elsewhere.
// NO_COLOR and TERM=dumb are honoured by the caller's choice of `terminal`.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace warpwright {

struct ProgressOptions {
  std::string title;
  bool terminal = false;                           // redraw in place
  bool quiet = false;                              // print nothing
  std::chrono::milliseconds plain_interval{5000};  // between lines when not on a terminal
  int width = 80;
  std::FILE* stream = stderr;
};

class Progress {
 public:
  explicit Progress(ProgressOptions options);
  ~Progress();  // finish()
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_total(std::size_t total);
  // `note` is shown after the bar ("best 372.1 us block_row THREADS=512"). Rate and time left come
  // from the clock.
  void update(std::size_t done, const std::string& note);
  // Prints a line above the bar.
  void say(const std::string& line);
  void finish();

  // "12/48  8.3/s  4 s left  best ..." without the bar; exposed for tests.
  [[nodiscard]] static std::string line(std::size_t done, std::size_t total, double seconds,
                                        const std::string& note);

 private:
  void draw(bool force);

  ProgressOptions options_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::string note_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
  bool drawn_ = false;
  bool finished_ = false;
};

// True when stderr is a terminal, TERM is not "dumb" and NO_COLOR is unset.
[[nodiscard]] bool stderr_is_rich_terminal();

// "0.85 s", "41 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string format_duration(double seconds);

}  // namespace warpwright
