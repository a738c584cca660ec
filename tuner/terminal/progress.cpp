#include "terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "core/terminal_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

// Unlike fmt::print, this does not throw: stderr may be redirected to a file on a full disk, and
// the work continues.
template <typename... Values>
void print(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

using std::chrono::steady_clock;

// Often enough to look alive, rarely enough to be cheap over a slow connection.
constexpr std::chrono::milliseconds kRedraw{100};
constexpr int kBarCells = 20;
constexpr std::size_t kLeastDetail = 24;  // a shorter excerpt of a configuration is useless

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

std::string bar(std::size_t done, std::size_t total) {
  const double part =
      total == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int full = static_cast<int>(part * kBarCells);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(full), '#'),
                     std::string(static_cast<std::size_t>(kBarCells - full), '.'));
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : "  ") + part;
  return text;
}

Progress::Parts clock_parts(std::size_t done, std::size_t total, double seconds) {
  Progress::Parts parts;
  parts.count = total == 0 ? fmt::format("{}", done) : fmt::format("{}/{}", done, total);
  if (done == 0 || seconds <= 0) return parts;
  const double rate = static_cast<double>(done) / seconds;
  parts.rate = rate >= 100 ? fmt::format("{:.0f}/s", rate)
               : rate >= 1 ? fmt::format("{:.1f}/s", rate)
                           : fmt::format("{:.1f}/min", 60 * rate);
  if (total > done)
    parts.left = format_duration(static_cast<double>(total - done) / rate) + " left";
  return parts;
}

}  // namespace

Progress::Progress(ProgressOptions options)
    : options_(std::move(options)), start_(steady_clock::now()), last_draw_(start_) {}

Progress::~Progress() { finish(); }

void Progress::set_total(std::size_t total) {
  total_ = total;
  draw(false);
}

void Progress::update(std::size_t done, const std::string& note, const std::string& detail) {
  done_ = done;
  note_ = note;
  detail_ = detail;
  draw(false);
}

void Progress::say(const std::string& line) {
  if (options_.quiet) return;
  if (options_.terminal && drawn_) print(options_.stream, "\r\x1b[K");
  print(options_.stream, "{}\n", for_screen(terminal_text(line), screen_of(options_.stream)));
  drawn_ = false;
  draw(options_.terminal);
  std::fflush(options_.stream);
}

void Progress::finish() {
  if (finished_) return;
  finished_ = true;
  if (options_.quiet || (done_ == 0 && !drawn_)) return;
  draw(true);
  if (options_.terminal) print(options_.stream, "\n");
  std::fflush(options_.stream);
}

void Progress::draw(bool force) {
  if (options_.quiet) return;
  const steady_clock::time_point now = steady_clock::now();
  const auto interval = options_.terminal ? kRedraw : options_.plain_interval;
  // The first bar appears at once; the first plain line waits, so that a quick run prints only its
  // last one.
  const bool first = options_.terminal && !drawn_;
  if (!force && !first && now - last_draw_ < interval) return;
  last_draw_ = now;
  drawn_ = true;
  const Screen screen = screen_of(options_.stream);
  const std::size_t columns = options_.columns > 0 ? options_.columns : screen.columns;
  // One column stays free, because some terminals wrap after a full line.
  const std::size_t room =
      !options_.terminal || columns == 0 ? 0 : std::max<std::size_t>(columns, 2) - 1;
  Parts shown = parts(seconds_since(start_));
  shown.title = terminal_line(shown.title);
  shown.note = for_screen(terminal_line(shown.note), screen);
  shown.detail = for_screen(terminal_line(shown.detail), screen);
  if (!options_.terminal) shown.bar.clear();
  const std::string text = for_screen(fit(shown, room), screen);
  if (options_.terminal) {
    print(options_.stream, "\r{}\x1b[K", text);
  } else {
    print(options_.stream, "{}\n", text);
  }
  std::fflush(options_.stream);
}

Progress::Parts Progress::parts(double seconds) const {
  Parts parts = clock_parts(done_, total_, seconds);
  parts.title = options_.title;
  parts.bar = total_ == 0 ? "" : bar(done_, total_);
  parts.note = note_;
  parts.detail = detail_;
  return parts;
}

std::string Progress::line(std::size_t done, std::size_t total, double seconds,
                           const std::string& note) {
  Parts parts = clock_parts(done, total, seconds);
  parts.note = note;
  return fit(parts, 0);
}

std::string Progress::fit(const Parts& parts, std::size_t columns) {
  const auto& [title, bar, count, rate, left, note, detail] = parts;
  const auto counted = [&count = count](const std::string& before) {
    return before.empty() ? count : before + " " + count;
  };
  const std::array with_detail = {joined({title, counted(bar), rate, left, note}),
                                  joined({title, count, rate, left, note}),
                                  joined({title, count, left, note}), joined({count, left, note})};
  const std::string gap = note.empty() ? "  " : " ";
  if (columns == 0) return with_detail.front() + (detail.empty() ? "" : gap + detail);
  const std::size_t least = std::min(display_width(detail), kLeastDetail);
  for (const std::string& text : with_detail) {
    const std::size_t used = display_width(text) + (detail.empty() ? 0 : gap.size());
    if (used + least > columns) continue;
    return text + (detail.empty() ? "" : gap + shorten_middle(detail, columns - used));
  }
  for (const std::string& text :
       {joined({title, count, left, note}), joined({count, left, note}), joined({count, note})})
    if (display_width(text) <= columns) return text;
  return shorten_to_width(note.empty() ? count : note, columns);
}

ProgressOptions stderr_progress(std::string title, bool quiet) {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = (no_color != nullptr && *no_color != '\0') || term == nullptr ||
                     std::string_view(term) == "dumb";
  ProgressOptions options;
  options.title = std::move(title);
  options.terminal = !plain && ::isatty(STDERR_FILENO) == 1;
  options.quiet = quiet;
  return options;
}

}  // namespace warpwright
