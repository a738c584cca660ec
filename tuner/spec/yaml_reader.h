// A typed cursor over a YamlDocument. It tracks its path ("arguments[2].tolerance.abs") and its
// position, so that a value of the wrong type, an unknown key or a missing one is reported in one
// line:
//   `file:line:col: arguments[2].tolerance.abs: got a list, expected a number or an expression`.
// A reader refers to the document, which must outlive it. Every member throws Error (user) at the
// node's own position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/value.h"
#include "spec/yaml_document.h"

namespace warpwright {

class Lets;  // spec/names.h
class YamlMap;

class YamlReader {
 public:
  explicit YamlReader(const YamlDocument& document) : document_(&document), node_(&document.root) {}

  // The same position, where expressions at this node and below may use `lets`, which must outlive
  // the reader.
  [[nodiscard]] YamlReader with_lets(Lets& lets) const;

  [[nodiscard]] SourceLocation where() const { return document_->place(*node_); }
  // "" at the top level.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_null() const { return node_->kind == YamlNode::Kind::kNull; }
  [[nodiscard]] bool is_scalar() const { return node_->kind == YamlNode::Kind::kScalar; }
  [[nodiscard]] bool is_list() const { return node_->kind == YamlNode::Kind::kList; }
  [[nodiscard]] bool is_map() const { return node_->kind == YamlNode::Kind::kMap; }

  // An error with `message` after the position and the path.
  [[nodiscard]] Error error(std::string_view message) const;
  // An error of the form "got a list, expected <expected>".
  [[nodiscard]] Error wrong_type(std::string_view expected) const;

  // A scalar as written, whatever type it looks like: documentation, file names, "10min".
  [[nodiscard]] std::string text() const;
  // As text(), but rejects text that consists of blanks only.
  [[nodiscard]] std::string nonempty_text() const;
  // A C identifier.
  [[nodiscard]] std::string identifier() const;
  // A scalar by the rules of spec/value_rule.h; a quoted one is a string.
  [[nodiscard]] Value value() const;
  [[nodiscard]] std::int64_t integer() const;
  // An integer or a real.
  [[nodiscard]] double number() const;
  [[nodiscard]] bool boolean() const;
  // An expression whose errors point into the scalar, after the quote; in a scalar that is folded
  // or contains escapes, they only name the line. Its lets are expanded.
  [[nodiscard]] Expr expression() const;
  // The same for a part of the scalar.
  [[nodiscard]] Expr expression_in(std::size_t offset, std::size_t length) const;
  // As nonempty_text(), for a fill, in which only the arguments are expressions
  // (trial/numbers/fill.h), or not even those (spec/kernel_fills.h). Its lets are expanded.
  [[nodiscard]] std::string fill() const;

  // Lists and maps have limits far above any real use, so that no text can make the checks that
  // follow slow.
  [[nodiscard]] std::vector<YamlReader> items(std::size_t at_most = 100000) const;
  // As items(), but a scalar counts as a list of itself: `block: THREADS` for `block: [THREADS]`.
  [[nodiscard]] std::vector<YamlReader> items_or_one() const;
  // A map whose keys the author chooses: (key, value) in order.
  [[nodiscard]] std::vector<std::pair<YamlReader, YamlReader>> entries(
      std::size_t at_most = 1000) const;
  // A map with predefined keys; an unknown one is an error at its position. An empty value counts
  // as an empty map.
  [[nodiscard]] YamlMap map(std::initializer_list<const char*> known) const;

 private:
  friend class YamlMap;
  // A reader for a part of `parent`.
  YamlReader(const YamlReader& parent, const YamlNode& node, std::string path)
      : document_(parent.document_), node_(&node), path_(std::move(path)), lets_(parent.lets_) {}
  [[nodiscard]] YamlReader child(const std::string& key, const YamlNode& node) const;
  [[nodiscard]] std::string describe() const;
  // The position where the scalar's text begins, after a quote; without a column if the text is not
  // verbatim.
  [[nodiscard]] SourceLocation text_begin() const;

  const YamlDocument* document_;
  const YamlNode* node_;
  std::string path_;
  Lets* lets_ = nullptr;
};

class YamlMap {
 public:
  explicit YamlMap(YamlReader reader) : reader_(std::move(reader)) {}
  [[nodiscard]] const YamlReader& reader() const { return reader_; }
  [[nodiscard]] std::optional<YamlReader> find(std::string_view key) const;
  // The position of the key itself, for errors about its presence.
  [[nodiscard]] Error error_at_key(std::string_view key, std::string_view message) const;
  // `example` shows what to write: "source: block_row.cu".
  [[nodiscard]] YamlReader require(std::string_view key, std::string_view example) const;

 private:
  YamlReader reader_;
};

}  // namespace warpwright
