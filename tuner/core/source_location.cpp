#include "core/source_location.h"

#include <fmt/format.h>

#include "core/terminal_text.h"

namespace warpwright {

std::string SourceLocation::to_string() const {
  if (file.empty()) return "";
  // A line end in a name would start a line that looks like a message of its own.
  const std::string name = terminal_line(file);
  if (line == 0) return name;
  if (column == 0) return fmt::format("{}:{}", name, line);
  return fmt::format("{}:{}:{}", name, line, column);
}

}  // namespace warpwright
