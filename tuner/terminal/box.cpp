#include "terminal/box.h"

#include <algorithm>
#include <utility>

#include "core/terminal_text.h"
#include "core/words.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

constexpr std::size_t kFrame = 4;  // "│ " and " │"
constexpr std::size_t kLeastInside = 16;

std::string repeated(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// "─ title ───", `width` wide.
std::string rule_with(const std::string& title, std::size_t width, const std::string& gap) {
  if (title.empty()) return repeated("─", width);
  const std::string text = " " + shorten_middle(title, width - 4, gap) + " ";
  return "─" + text + repeated("─", width - 1 - display_width(text));
}

}  // namespace

std::string render_box(const std::vector<BoxSection>& sections, const std::string& end, int indent,
                       const Screen& screen) {
  if (sections.empty()) return "";
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  const std::string gap = screen.utf8 ? "…" : "...";
  const std::size_t most =
      std::max(text_width(screen), margin.size() + kFrame + kLeastInside) - margin.size() - kFrame;
  std::vector<std::pair<std::string, std::vector<std::string>>> parts;
  std::size_t inside = std::min(most, display_width(end) + 2);
  for (const BoxSection& section : sections) {
    auto& [title, lines] = parts.emplace_back();
    title = terminal_line(section.title);
    inside = std::max(inside, std::min(most, display_width(title) + 2));
    for (const std::string& line : section.lines) {
      const std::string wrapped = wrap_text(terminal_line(line), 0, most);
      for (const std::string_view piece : split_lines(wrapped)) {
        lines.push_back(shorten_middle(piece, most, gap));
        inside = std::max(inside, display_width(lines.back()));
      }
    }
  }
  std::string out;
  for (const auto& [title, lines] : parts) {
    const bool first = out.empty();
    out += margin + (first ? "┌" : "├") + rule_with(title, inside + 2, gap) + (first ? "┐" : "┤") +
           "\n";
    for (const std::string& line : lines)
      out += margin + "│ " + line + std::string(inside - display_width(line), ' ') + " │\n";
  }
  return out + margin + "└" + rule_with(terminal_line(end), inside + 2, gap) + "┘\n";
}

}  // namespace warpwright
