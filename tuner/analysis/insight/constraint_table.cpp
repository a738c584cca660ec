#include "analysis/insight/constraint_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace warpwright {
namespace {

using Samples = std::vector<const ConstraintSample*>;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// Reads the values of one name from all samples. Returns nullopt if they mix texts, bools and
// numbers.
class ColumnReader {
 public:
  explicit ColumnReader(const std::string& name) { column_.name = name; }

  void read(const Samples& samples, std::vector<double>& into) {
    for (const ConstraintSample* sample : samples) {
      const auto it = sample->values.find(column_.name);
      into.push_back(it == sample->values.end() ? kAbsent : number(it->second));
    }
  }
  std::optional<ConstraintColumn> column(const Samples& failures, const Samples& right) {
    read(failures, column_.failures);
    read(right, column_.right);
    column_.text = !texts_.empty();
    if (static_cast<int>(column_.text) + static_cast<int>(column_.boolean) +
            static_cast<int>(numbers_) !=
        1)
      return std::nullopt;
    column_.texts.resize(texts_.size());
    for (const auto& [text, at] : texts_) column_.texts[static_cast<std::size_t>(at)] = text;
    return std::move(column_);
  }

 private:
  double number(const Value& value) {
    if (value.is_string()) {
      const auto next = static_cast<double>(texts_.size());
      return texts_.try_emplace(value.as_string(), next).first->second;
    }
    (value.is_bool() ? column_.boolean : numbers_) = true;
    const double real = value.as_real();
    column_.integral = column_.integral && real == std::floor(real);
    return real;
  }

  ConstraintColumn column_;
  std::map<std::string, double> texts_;
  bool numbers_ = false;
};

template <class Keep>
std::vector<double> kept(const std::vector<double>& values, const std::vector<double>& by,
                         const Keep& keep) {
  std::vector<double> part;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keep(by[i])) part.push_back(values[i]);
  return part;
}

std::string place_of(const ConstraintSample& sample, const std::vector<std::string>& sizes) {
  std::string place = sample.variant;
  for (const std::string& size : sizes) {
    const auto it = sample.values.find(size);
    place += '\n' + (it == sample.values.end() ? std::string() : it->second.to_string());
  }
  return place;
}

}  // namespace

std::string number_text(double value) {
  // Above 2^53, a double no longer represents every integer.
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return Value(static_cast<std::int64_t>(value)).to_string();
  return Value(value).to_string();
}

std::set<double> ConstraintColumn::levels() const {
  std::set<double> levels;
  for (const auto* side : {&failures, &right})
    for (const double value : *side)
      if (!std::isnan(value)) levels.insert(value);
  return levels;
}

std::string ConstraintColumn::value_text(double value) const {
  if (boolean) return value != 0 ? "true" : "false";
  if (!text) return number_text(value);
  std::string quoted = "'";
  for (const char c : texts[static_cast<std::size_t>(value)]) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

ConstraintTable ConstraintTable::restricted(const ConstraintColumn& by,
                                            const std::function<bool(double)>& keep) const {
  ConstraintTable part;
  for (std::size_t i = 0; i < by.failures.size(); ++i)
    if (keep(by.failures[i])) part.failure_index.push_back(failure_index[i]);
  for (const ConstraintColumn& column : columns) {
    ConstraintColumn& copy = part.columns.emplace_back();
    copy.name = column.name;
    copy.text = column.text;
    copy.boolean = column.boolean;
    copy.integral = column.integral;
    copy.size = column.size;
    copy.constant = column.constant;
    copy.texts = column.texts;
    copy.failures = kept(column.failures, by.failures, keep);
    copy.right = kept(column.right, by.right, keep);
  }
  return part;
}

ConstraintTable make_constraint_table(const ConstraintSearch& search, const std::string& variant) {
  std::set<std::string> places;  // variants and problems where something ran right
  Samples failures, right;
  for (const ConstraintSample& sample : search.right) {
    if (!variant.empty() && sample.variant != variant) continue;
    places.insert(place_of(sample, search.sizes));
    right.push_back(&sample);
  }
  ConstraintTable table;
  std::set<std::string> names;
  for (std::size_t i = 0; i < search.failures.size(); ++i) {
    if (!places.contains(place_of(search.failures[i], search.sizes))) continue;
    failures.push_back(&search.failures[i]);
    table.failure_index.push_back(i);
    for (const auto& [name, value] : search.failures[i].values) names.insert(name);
  }
  for (const std::string& name : names) {
    std::optional<ConstraintColumn> column = ColumnReader(name).column(failures, right);
    if (!column) continue;
    column->size = std::find(search.sizes.begin(), search.sizes.end(), name) != search.sizes.end();
    column->constant = column->levels().size() < 2;
    if (column->size || !column->constant) table.columns.push_back(std::move(*column));
  }
  return table;
}

}  // namespace warpwright
