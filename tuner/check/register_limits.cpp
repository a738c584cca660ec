#include "check/register_limits.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

namespace warpwright {
namespace {

// Reads the integers of a PTX directive such as ".maxntid 256, 1, 1".
std::vector<int> directive(std::string_view header, std::string_view name) {
  std::vector<int> numbers;
  std::size_t at = header.find(name);
  if (at == std::string_view::npos) return numbers;
  header = header.substr(at + name.size());
  header = header.substr(0, header.find_first_of("\n{."));
  while (!header.empty()) {
    const std::size_t digit = header.find_first_of("0123456789");
    if (digit == std::string_view::npos) break;
    header.remove_prefix(digit);
    int value = 0;
    const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), value);
    if (error != std::errc()) break;
    numbers.push_back(value);
    header.remove_prefix(static_cast<std::size_t>(end - header.data()));
  }
  return numbers;
}

}  // namespace

std::string register_limits(const std::string& ptx, const std::string& entry) {
  std::size_t at = ptx.find(".entry " + entry + "(");
  if (at == std::string::npos) at = ptx.find(".entry " + entry + "\n");
  if (at == std::string::npos) return "";
  const std::string_view rest = std::string_view(ptx).substr(at);
  const std::string_view header = rest.substr(0, rest.find('{'));
  long threads = 1;
  const std::vector<int> block = directive(header, ".maxntid");
  for (const int extent : block) threads *= extent;
  const std::vector<int> blocks = directive(header, ".minnctapersm");
  const std::vector<int> registers = directive(header, ".maxnreg");
  std::string text;
  if (!block.empty()) {
    text = blocks.empty() ? fmt::format("__launch_bounds__({})", threads)
                          : fmt::format("__launch_bounds__({}, {})", threads, blocks.front());
  }
  if (!registers.empty())
    text += fmt::format("{}maxnreg {}", text.empty() ? "" : ", ", registers.front());
  return text.empty() ? "no __launch_bounds__" : text;
}

}  // namespace warpwright
