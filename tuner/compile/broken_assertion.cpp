#include "compile/broken_assertion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>
#include <system_error>

namespace warpwright {
namespace {

// An assertion longer than this is shown, and searched, only up to this line.
constexpr int kMostLines = 20;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

// Returns nullopt for a file that was not compiled, whatever a #line directive names.
std::optional<std::string> text_of(const std::string& file, const std::vector<SourceFile>& files) {
  for (const SourceFile& known : files)
    if (known.found && known.path == file) return known.content;
  return std::nullopt;
}

// Returns the static_assert that begins in this line of `file`, up to its semicolon and joined into
// one line; "" when it cannot be read. The log itself shows only its first line.
std::string assertion_at(const std::string& file, int number,
                         const std::vector<SourceFile>& files) {
  const std::optional<std::string> text = text_of(file, files);
  if (!text) return "";
  std::string_view rest = *text;
  for (int i = 1; i < number && !rest.empty(); ++i) take_line(rest);
  std::string assertion;
  for (int i = 0; i < kMostLines && !rest.empty(); ++i) {
    std::string line = trimmed(take_line(rest));
    if (i == 0) line.erase(0, std::min(line.find("static_assert"), line.size()));
    assertion += (assertion.empty() || assertion.back() == '(' ? "" : " ") + line;
    if (const std::size_t end = assertion.find(';'); end != std::string::npos)
      return assertion.substr(0, end);
  }
  return assertion;
}

bool uses_word(std::string_view text, std::string_view word) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

}  // namespace

std::string broken_assertion(std::string_view log, const std::vector<MacroPromise>& promises,
                             const std::vector<SourceFile>& files) {
  static const std::regex kFailed(R"(^(.*)\((\d+)\): error: static assertion failed)");
  if (promises.empty()) return "";
  while (!log.empty()) {
    const std::string_view line = take_line(log);
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(line.begin(), line.end(), match, kFailed)) continue;
    int number = 0;
    const std::string digits = match[2].str();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
      continue;
    const std::string assertion = assertion_at(match[1].str(), number, files);
    for (const MacroPromise& promise : promises) {
      if (!uses_word(assertion, promise.macro)) continue;
      return fmt::format("; {}, but the source needs a different number: {}; make the two agree",
                         promise.says, assertion);
    }
  }
  return "";
}

}  // namespace warpwright
