// A YAML file as a tree in which every node has its position, built from yaml-cpp's events.
// Stricter than YAML, so that no text has a meaning that its author did not intend: one document,
// at most 1 MiB and 64 levels deep, plain UTF-8, no tabs in indentation, no duplicate keys, and no
// anchors, aliases, tags or merge keys. Parsing therefore takes time and memory in proportion to
// the text. Every fault is an Error (user) at `file:line:col`; columns count bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_location.h"

namespace warpwright {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxYamlDepth = 64;

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  enum class Style { kPlain, kQuoted, kBlock };

  Kind kind = Kind::kNull;
  Style style = Style::kPlain;  // of a scalar: only a plain one may be a number or a boolean
  int line = 0;
  int column = 0;
  bool verbatim =
      false;         // a scalar whose text is verbatim in the file: offsets into it are columns
  std::string text;  // kScalar: after unquoting and folding
  std::vector<YamlNode> items;     // kList
  std::vector<YamlEntry> entries;  // kMap, in order
};

struct YamlEntry {
  YamlNode key;  // a scalar
  YamlNode value;
};

struct YamlDocument {
  std::string file;  // as shown in messages
  YamlNode root;

  [[nodiscard]] SourceLocation place(const YamlNode& node) const {
    return {file, node.line, node.column};
  }
};

// `kind` names the file in messages: "a sweep". Throws Error (user) unless the text is a single
// document that consists of one map.
[[nodiscard]] YamlDocument parse_yaml(std::string_view text, std::string file,
                                      std::string_view kind);

// Reads the file unless it is larger than kMaxYamlBytes. Throws the errors of read_file and
// parse_yaml.
[[nodiscard]] std::string read_yaml_text(const std::filesystem::path& file, std::string_view kind);

// Checks the bytes of a YAML file before yaml-cpp reads them, for input that it would silently
// misread (NUL, or a Ctrl-D, which it takes for the end of the file) or report unhelpfully (tabs).

// Checks the bytes of a YAML file before yaml-cpp reads them, for input that it would silently
// misread (NUL, or a Ctrl-D, which it takes for the end of the file) or report unhelpfully (tabs).
// Throws Error (user) on too many bytes, bytes that are not UTF-8, control characters and tabs in
// indentation.
void check_yaml_text(std::string_view text, const std::string& file, std::string_view kind);

// Throws Error (user) if `bytes` exceeds kMaxYamlBytes.
void check_yaml_size(std::size_t bytes, const std::string& file, std::string_view kind);

}  // namespace warpwright
