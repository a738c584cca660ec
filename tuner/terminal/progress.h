// Progress on stderr: a line that is redrawn on a terminal, and an occasional plain line elsewhere.
// The caller applies NO_COLOR and TERM=dumb when it sets `terminal`. Every redraw fits the line to
// the current width of the terminal.
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
  std::size_t columns = 0;                         // of the terminal; 0: ask the stream
  std::FILE* stream = stderr;
};

class Progress {
 public:
  explicit Progress(ProgressOptions options);
  ~Progress();  // finish()
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_total(std::size_t total);
  // `note` is shown whole after the count ("best 372.1 µs"), then `detail`, whose middle gives way
  // on a narrow terminal ("block_row THREADS=512"). Rate and time left come from the clock.
  void update(std::size_t done, const std::string& note, const std::string& detail = "");
  // Prints a line above the bar.
  void say(const std::string& line);
  void finish();

  // The parts of the line; "" for unknown ones.
  struct Parts {
    std::string title, bar, count, rate, left, note, detail;
  };
  // "12/48  8.3/s  4 s left  best ...", without title and bar; exposed for tests.
  [[nodiscard]] static std::string line(std::size_t done, std::size_t total, double seconds,
                                        const std::string& note);
  // One line of at most `columns` (0: no limit). If space is short, the middle of the detail is
  // dropped first, then the bar, the rate, the title, the rest of the detail, the time left and the
  // count; the note is dropped last.
  [[nodiscard]] static std::string fit(const Parts& parts, std::size_t columns);

 private:
  void draw(bool force);
  [[nodiscard]] Parts parts(double seconds) const;

  ProgressOptions options_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::string note_, detail_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
  bool drawn_ = false;
  bool finished_ = false;
};

// Writes to stderr, redrawn in place if it is a terminal, TERM is not "dumb" and NO_COLOR is unset.
[[nodiscard]] ProgressOptions stderr_progress(std::string title, bool quiet);

}  // namespace warpwright
