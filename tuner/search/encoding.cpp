#include "search/encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "stats/extra_trees.h"

namespace warpwright {
namespace {

// With more sizes than this, the pairs would outnumber all other features.
constexpr std::size_t kMaxSizes = 12;
// A parameter with two values is not treated as a size: its sums add no information.
constexpr std::size_t kMinOfASize = 3;

// The exponent of 2 in a value is a feature of its own, up to this limit: warps, vectors and banks
// favour multiples, which an order of values does not show.
constexpr int kMaxTwos = 7;
// With fewer values than this, the feature is not needed to separate them.
constexpr std::size_t kMinOfTwos = 5;

// The values of a parameter over all variants.
struct Listed {
  std::vector<Value> values;
  bool number = true;
  bool size = true;  // numbers above 0
  bool twos = true;  // whole numbers above 0, not only powers of two
};

int twos_of(const Value& value) {
  auto number = static_cast<std::uint64_t>(value.as_real());
  int twos = 0;
  for (; number % 2 == 0 && twos < kMaxTwos; number /= 2) ++twos;
  return twos;
}

bool is_power_of_two(const Value& value) {
  return std::has_single_bit(static_cast<std::uint64_t>(value.as_real()));
}

bool is_natural(const Value& value) {
  return value.is_integer() && !value.is_bool() && value.as_integer() > 0;
}

std::map<std::string, Listed> list_parameters(const SearchSpace& space) {
  std::map<std::string, Listed> all;
  for (const std::string& variant : space.variants()) {
    for (const SearchSpace::Axis& axis : space.axes(variant)) {
      Listed& listed = all[axis.name];
      for (const Value& value : axis.values) {
        if (std::find(listed.values.begin(), listed.values.end(), value) == listed.values.end())
          listed.values.push_back(value);
        listed.number &= value.is_number();
        listed.size &= value.is_number() && value.as_real() > 0;
      }
    }
  }
  for (auto& [name, listed] : all) {
    const std::vector<Value>& values = listed.values;
    listed.size &= values.size() >= kMinOfASize;
    listed.twos = values.size() >= kMinOfTwos &&
                  std::all_of(values.begin(), values.end(), is_natural) &&
                  !std::all_of(values.begin(), values.end(), is_power_of_two);
  }
  return all;
}

// The rank of each value among the numbers of the parameter. The order of values such as 32, 64 and
// 128 is informative; their differences are not.
std::vector<float> ranks(const std::vector<Value>& values, const Listed& listed) {
  std::set<double> numbers;
  for (const Value& value : listed.values) numbers.insert(value.as_real());
  std::vector<float> result;
  for (const Value& value : values) {
    result.push_back(
        static_cast<float>(std::distance(numbers.begin(), numbers.find(value.as_real()))));
  }
  return result;
}

std::vector<float> places(const std::vector<Value>& values, const Listed& listed) {
  std::vector<float> result;
  for (const Value& value : values) {
    const auto found = std::find(listed.values.begin(), listed.values.end(), value);
    result.push_back(static_cast<float>(found - listed.values.begin()));
  }
  return result;
}

}  // namespace

Encoding::Encoding(const SearchSpace& space) {
  const std::vector<std::string> variants = space.variants();
  variants_ = variants.size() > 1;
  const auto names_or_number = [](std::size_t count) {
    return count <= ExtraTreesData::kMaxNames ? count : 0;
  };
  if (variants_) names_.push_back(names_or_number(variants.size()));
  const std::map<std::string, Listed> all = list_parameters(space);
  std::map<std::string, std::size_t> features;
  std::map<std::string, std::size_t> sizes;
  std::map<std::string, std::size_t> twos;
  for (const auto& [name, listed] : all) {
    if (listed.values.size() < 2 && !variants_) continue;
    features.emplace(name, names_.size());
    // Reserve one more name for variants that lack the parameter.
    names_.push_back(listed.number ? 0 : names_or_number(listed.values.size() + 1));
    if (listed.size && sizes.size() < kMaxSizes) sizes.emplace(name, sizes.size());
    if (!listed.twos) continue;
    twos.emplace(name, names_.size());
    names_.push_back(0);
  }
  if (names_.empty()) names_.push_back(0);  // a space of one configuration
  sizes_ = sizes.size();
  for (std::size_t i = 0; i < sizes_; ++i) {
    for (std::size_t k = i + 1; k < sizes_; ++k) pairs_.push_back({i, k});
  }
  for (const std::string& variant : variants) {
    std::vector<Parameter>& group = groups_.emplace_back();
    for (const SearchSpace::Axis& axis : space.axes(variant)) {
      const Listed& listed = all.at(axis.name);
      Parameter parameter;
      parameter.number = listed.number;
      const auto feature = features.find(axis.name);
      if (feature != features.end()) {
        parameter.feature = feature->second;
        parameter.values = listed.number ? ranks(axis.values, listed) : places(axis.values, listed);
      }
      if (const auto size = sizes.find(axis.name); size != sizes.end()) {
        parameter.size = size->second;
        for (const Value& value : axis.values)
          parameter.logarithms.push_back(static_cast<float>(std::log2(value.as_real())));
      }
      if (const auto found = twos.find(axis.name); found != twos.end()) {
        parameter.twos_feature = found->second;
        for (const Value& value : axis.values)
          parameter.twos.push_back(static_cast<float>(twos_of(value)));
      }
      group.push_back(std::move(parameter));
    }
  }
  parameters_ = names_.size();
  names_.resize(names_.size() + 2 * pairs_.size(), 0);
}

void Encoding::append(const SearchSpace::Place& place, std::vector<float>& rows) const {
  const std::size_t begin = rows.size();
  rows.resize(begin + names_.size());
  float* row = rows.data() + begin;
  // A parameter that a variant lacks gets a value below all numbers or after all names.
  for (std::size_t i = 0; i < parameters_; ++i)
    row[i] = names_[i] > 0 ? static_cast<float>(names_[i] - 1) : -1;
  if (variants_) row[0] = static_cast<float>(place.group);
  std::vector<float> logarithms(sizes_);
  const std::vector<Parameter>& group = groups_[place.group];
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Parameter& parameter = group[i];
    const std::uint32_t level = place.levels[i];
    if (!parameter.values.empty()) row[parameter.feature] = parameter.values[level];
    if (!parameter.twos.empty()) row[parameter.twos_feature] = parameter.twos[level];
    if (!parameter.logarithms.empty()) logarithms[parameter.size] = parameter.logarithms[level];
  }
  float* pair = row + parameters_;
  for (const Pair& sizes : pairs_) {
    *pair++ = logarithms[sizes.first] + logarithms[sizes.second];
    *pair++ = logarithms[sizes.first] - logarithms[sizes.second];
  }
}

double Encoding::distance(const SearchSpace::Place& a, const SearchSpace::Place& b) const {
  const std::vector<Parameter>& group = groups_[a.group];
  if (a.group != b.group)
    return static_cast<double>(std::max(group.size(), groups_[b.group].size()));
  double sum = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (a.levels[i] == b.levels[i]) continue;
    const std::vector<float>& values = group[i].values;
    const double apart = std::abs(values[a.levels[i]] - values[b.levels[i]]);
    const double most = static_cast<double>(values.size()) - 1;
    sum += group[i].number ? 0.5 + 0.5 * std::min(1.0, apart / most) : 1.0;
  }
  return sum;
}

}  // namespace warpwright
