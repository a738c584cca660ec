#include "core/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpwright {
namespace {

// Unlike fmt::print, it does not throw: where stderr goes may be full, and the work goes on.
template <typename... Values>
void print(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

using std::chrono::steady_clock;

// Fast enough to look alive, slow enough to cost nothing over a slow connection.
constexpr std::chrono::milliseconds kRedraw{100};
constexpr int kBarCells = 20;

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

// Cuts at a code point of UTF-8, so that "µs" never leaves half a character behind.
std::string clip(std::string text, std::size_t width) {
  std::size_t cells = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
    if (cells++ == width) {
      text.resize(i);
      break;
    }
  }
  return text;
}

}  // namespace

Progress::Progress(ProgressOptions options)
    : options_(std::move(options)), start_(steady_clock::now()), last_draw_(start_) {}

Progress::~Progress() { finish(); }

void Progress::set_total(std::size_t total) {
  total_ = total;
  draw(false);
}

void Progress::update(std::size_t done, const std::string& note) {
  done_ = done;
  note_ = note;
  draw(false);
}

void Progress::say(const std::string& line) {
  if (options_.quiet) return;
  if (options_.terminal && drawn_) print(options_.stream, "\r\x1b[K");
  print(options_.stream, "{}\n", line);
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
  const std::string status = line(done_, total_, seconds_since(start_), note_);
  const std::string title = options_.title.empty() ? "" : options_.title + "  ";
  if (options_.terminal) {
    const std::string text = title + (total_ == 0 ? "" : bar(done_, total_) + " ") + status;
    const auto width = static_cast<std::size_t>(std::max(options_.width - 1, 1));
    print(options_.stream, "\r{}\x1b[K", clip(text, width));
  } else {
    print(options_.stream, "{}{}\n", title, status);
  }
  std::fflush(options_.stream);
}

std::string Progress::line(std::size_t done, std::size_t total, double seconds,
                           const std::string& note) {
  std::string text = total == 0 ? fmt::format("{}", done) : fmt::format("{}/{}", done, total);
  if (done > 0 && seconds > 0) {
    const double rate = static_cast<double>(done) / seconds;
    text += rate >= 100 ? fmt::format("  {:.0f}/s", rate)
            : rate >= 1 ? fmt::format("  {:.1f}/s", rate)
                        : fmt::format("  {:.1f}/min", 60 * rate);
    if (total > done) {
      text += fmt::format("  {} left", format_duration(static_cast<double>(total - done) / rate));
    }
  }
  if (!note.empty()) text += "  " + note;
  return text;
}

bool stderr_is_rich_terminal() {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = (no_color != nullptr && *no_color != '\0') || term == nullptr ||
                     std::string_view(term) == "dumb";
  return !plain && ::isatty(STDERR_FILENO) == 1;
}

std::string format_duration(double seconds) {
  if (!(seconds > 0)) return "0 s";
  // Rounded to what is shown first, so that 59.7 s is "1 min 0 s" and never "60 s".
  if (seconds < 0.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const double whole = std::round(seconds);
  if (whole < 60) return fmt::format("{:.0f} s", whole);
  if (whole < 3600) {
    return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
  }
  const double minutes = std::round(seconds / 60);
  return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

}  // namespace warpwright
