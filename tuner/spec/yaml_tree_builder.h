// Turns yaml-cpp's events into YamlNodes and rejects the input that spec/yaml_document.h rules out:
// each handler throws Error (user) through yaml-cpp's parser, which keeps no state that outlives
// it. The depth limit also bounds the parser's recursion, which is one call per level.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "spec/yaml_document.h"

namespace warpwright {

inline constexpr std::string_view kNoYamlAliases =
    "aliases (*name) are not supported; write the value out";

class YamlTreeBuilder final : public YAML::EventHandler {
 public:
  // `text` is the parser's input and must outlive the builder.
  YamlTreeBuilder(std::string_view text, std::string file);

  // Called after parsing has succeeded: throws if a key lacked its colon. (Earlier, the same word
  // may be the last one of a list that is not closed.)
  void require_colons() const;
  [[nodiscard]] YamlNode take_root() { return std::move(root_); }
  [[nodiscard]] SourcePosition place(const YAML::Mark& mark) const;
  // If parsing stopped inside brackets: "the '[' at 3:14".
  [[nodiscard]] std::string open_bracket() const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  // An open list or map.
  struct Frame {
    YamlNode node;
    bool key_pending = false;  // in a map: the last entry has a key but no value yet
    std::unordered_map<std::string, int> key_lines;  // a map: the line of each key
  };

  void open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind);
  void close();
  void add(YamlNode node);
  void add_key(Frame& frame, YamlNode key);
  void note_missing_colon(const YamlNode& key);
  void require_closed(std::string_view rest, const YAML::Mark& mark) const;
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const;
  // The text from a position on; `line` and `column` count from 1.
  [[nodiscard]] std::string_view text_from(int line, int column) const;

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> line_starts_;
  std::vector<Frame> stack_;
  YamlNode root_;
  int documents_ = 0;
  std::optional<Error> missing_colon_;  // the first
};

}  // namespace warpwright
