// A location in a source: the one type for every place in a file of source code, YAML or PTX.
#pragma once

#include <string>

namespace warpwright {

// Line and column count from 1, and 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;

  [[nodiscard]] bool known() const { return !file.empty(); }
  // "file:line:col", shortened by the unknown parts; "" if nothing is known.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

// A location with its line's text, as shown to people.
struct QuotedLocation : SourceLocation {
  std::string text = {};  // the source line, trimmed; empty if it is not known
};

}  // namespace warpwright
