#include "spec/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/words.h"
#include "spec/kernel_fills.h"
#include "spec/names.h"
#include "spec/value_rule.h"

namespace warpwright {

Error YamlReader::error(std::string_view message) const {
  if (path_.empty()) return user_error(where(), std::string(message));
  return user_error(where(), fmt::format("{}: {}", path_, message));
}

// Describes the written value by its own type, so that a quoted "256" is recognisable as text.
Error YamlReader::wrong_type(std::string_view expected) const {
  return error(fmt::format("got {}, expected {}", describe(), expected));
}

std::string YamlReader::describe() const {
  switch (node_->kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
    case YamlNode::Kind::kScalar:
      break;
  }
  if (node_->style != YamlNode::Style::kPlain) return fmt::format("the string '{}'", node_->text);
  const ScalarReading reading = read_plain_scalar(node_->text);
  return reading.refusal.empty() ? describe_value(reading.value) : fmt::format("'{}'", node_->text);
}

std::string YamlReader::text() const {
  if (!is_scalar()) throw wrong_type("text");
  return node_->text;
}

std::string YamlReader::nonempty_text() const {
  std::string result = text();
  if (result.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw error("got empty text, expected some");
  }
  return result;
}

std::string YamlReader::identifier() const {
  if (!is_scalar() || !is_identifier(node_->text)) {
    throw wrong_type("a name of letters, digits and '_' that does not start with a digit");
  }
  return node_->text;
}

Value YamlReader::value() const {
  if (!is_scalar()) throw wrong_type("one value");
  if (node_->style != YamlNode::Style::kPlain) return Value(node_->text);
  ScalarReading reading = read_plain_scalar(node_->text);
  if (!reading.refusal.empty()) throw error(reading.refusal);
  return std::move(reading.value);
}

std::int64_t YamlReader::integer() const {
  if (!is_scalar()) throw wrong_type("an integer");
  const Value result = value();
  if (result.is_integer()) return result.as_integer();
  if (result.is_real() && std::trunc(result.as_real()) == result.as_real() &&
      std::abs(result.as_real()) < 1e15) {
    throw wrong_type(
        fmt::format("an integer; write {}", static_cast<std::int64_t>(result.as_real())));
  }
  throw wrong_type("an integer");
}

double YamlReader::number() const {
  if (!is_scalar()) throw wrong_type("a number");
  const Value result = value();
  if (!result.is_integer() && !result.is_real()) throw wrong_type("a number");
  return result.as_real();
}

bool YamlReader::boolean() const {
  if (!is_scalar()) throw wrong_type("true or false");
  const Value result = value();
  if (!result.is_bool()) throw wrong_type("true or false");
  return result.as_bool();
}

// The position where the text begins in the file: after the quote, or on the line after the mark of
// a block. A folded or escaped text has no columns of its own.
Expr YamlReader::expression() const {
  if (!is_scalar()) throw wrong_type("a number or an expression");
  if (node_->text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw error("got empty text, expected a number or an expression");
  }
  Expr expr = Expr::parse(node_->text, text_begin());
  return lets_ == nullptr ? expr : lets_->write_out(expr);
}

Expr YamlReader::expression_in(std::size_t offset, std::size_t length) const {
  SourceLocation start = text_begin();
  if (start.column > 0) start.column += static_cast<int>(offset);
  Expr expr = Expr::parse(std::string_view(node_->text).substr(offset, length), start);
  return lets_ == nullptr ? expr : lets_->write_out(expr);
}

SourceLocation YamlReader::text_begin() const {
  SourceLocation start = where();
  if (node_->style == YamlNode::Style::kBlock) ++start.line;
  if (node_->style == YamlNode::Style::kQuoted) ++start.column;
  if (!node_->verbatim) start.column = 0;
  return start;
}

std::string YamlReader::fill() const {
  std::string text = nonempty_text();
  // The names of files and of arguments are not lets, even if they are equal to one.
  const bool numbers = parse_fill_origin(text, where()).kind == FillKind::kNumbers;
  return lets_ == nullptr || !numbers ? text : lets_->write_out_fill(text, where());
}

YamlReader YamlReader::with_lets(Lets& lets) const {
  YamlReader reader = *this;
  reader.lets_ = &lets;
  return reader;
}

YamlReader YamlReader::child(const std::string& key, const YamlNode& node) const {
  return {*this, node, path_.empty() ? key : path_ + "." + key};
}

std::vector<YamlReader> YamlReader::items(std::size_t at_most) const {
  if (!is_list()) throw wrong_type("a list");
  if (node_->items.size() > at_most) {
    throw error(fmt::format("got {} items, expected at most {}", node_->items.size(), at_most));
  }
  std::vector<YamlReader> result;
  result.reserve(node_->items.size());
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    result.push_back(YamlReader(*this, node_->items[i], fmt::format("{}[{}]", path_, i)));
  }
  return result;
}

std::vector<YamlReader> YamlReader::items_or_one() const {
  if (is_scalar()) return {*this};
  return items();
}

std::vector<std::pair<YamlReader, YamlReader>> YamlReader::entries(std::size_t at_most) const {
  if (!is_map()) throw wrong_type("a map");
  if (node_->entries.size() > at_most) {
    throw error(fmt::format("got {} keys, expected at most {}", node_->entries.size(), at_most));
  }
  std::vector<std::pair<YamlReader, YamlReader>> result;
  result.reserve(node_->entries.size());
  for (const auto& [key, node] : node_->entries) {
    result.emplace_back(child(key.text, key), child(key.text, node));
  }
  return result;
}

// Unknown keys are reported before missing ones: a misspelt key is both, and the misspelling is the
// cause.
YamlMap YamlReader::map(std::initializer_list<const char*> known) const {
  if (!is_map() && !is_null()) throw wrong_type("a map");
  for (const auto& [key, node] : node_->entries) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    throw user_error(document_->place(key),
                     fmt::format("unknown key '{}'{}{}", key.text,
                                 path_.empty() ? "" : " in " + path_, suggestion(key.text, names)));
  }
  return YamlMap(*this);
}

std::optional<YamlReader> YamlMap::find(std::string_view key) const {
  for (const auto& [name, node] : reader_.node_->entries) {
    if (name.text == key) return reader_.child(name.text, node);
  }
  return std::nullopt;
}

Error YamlMap::error_at_key(std::string_view key, std::string_view message) const {
  for (const auto& [name, node] : reader_.node_->entries) {
    if (name.text == key) return reader_.child(name.text, name).error(message);
  }
  return reader_.error(message);
}

YamlReader YamlMap::require(std::string_view key, std::string_view example) const {
  if (auto found = find(key)) return *std::move(found);
  throw user_error(reader_.where(),
                   fmt::format("missing key '{}'{}; add `{}`", key,
                               reader_.path_.empty() ? "" : " in " + reader_.path_, example));
}

}  // namespace warpwright
