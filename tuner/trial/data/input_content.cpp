#include "trial/data/input_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/error.h"
#include "core/hash.h"
#include "spec/kernel_fills.h"
#include "trial/data/problem_data.h"
#include "trial/files/input_file.h"
#include "trial/numbers/dtype.h"
#include "trial/numbers/fill.h"

namespace warpwright {
namespace {

std::size_t elements_of(const DerivedArray& array) {
  std::size_t elements = 1;
  for (const std::int64_t extent : array.shape) elements *= static_cast<std::size_t>(extent);
  return elements;
}

std::string described(const DerivedArray& array) {
  return fmt::format("'{}' is {} [{}]", array.argument, dtype_name(array.dtype),
                     fmt::join(array.shape, ", "));
}

void require_fit(bool fits, std::string_view what, const DerivedArray& from,
                 const DerivedArray& to) {
  if (fits) return;
  throw user_error(fmt::format("{}; {} and {}", what, described(to), described(from)));
}

void sum_prefixes(const DerivedArray& from, std::span<const std::byte> content,
                  const DerivedArray& to, std::span<std::byte> out) {
  const std::size_t count = elements_of(from);
  const std::size_t wanted = elements_of(to);
  require_fit(!is_floating(from.dtype) && !is_floating(to.dtype), "prefix_sum is of integers", from,
              to);
  require_fit(wanted == count || wanted == count + 1,
              "prefix_sum has as many elements as what it sums, or one more", from, to);
  WideInteger sum = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    if (const auto fault = store_integer(to.dtype, out.data(), i, sum))
      throw user_error(
          fmt::format("prefix_sum: element {} of argument '{}' is {}; choose a wider "
                      "type or smaller terms",
                      i, to.argument, *fault));
    if (i < count) sum += load_integer(from.dtype, content.data(), i);
  }
}

// Integers of 64 bits above 2^53 are not exact as doubles. NaN comes last, and zeros of either sign
// are equal.
bool comes_before(DType dtype, const void* array, std::size_t a, std::size_t b) {
  if (!is_floating(dtype)) return load_integer(dtype, array, a) < load_integer(dtype, array, b);
  const double left = load_element(dtype, array, a);
  const double right = load_element(dtype, array, b);
  return std::isnan(right) ? !std::isnan(left) : left < right;
}

// Calls take(place, index) with flat indices: the place to which each element along the last axis
// moves.
template <typename Take>
void sort_rows(const DerivedArray& from, std::span<const std::byte> content, Take take) {
  const auto width = static_cast<std::size_t>(from.shape.back());
  std::vector<std::size_t> order(width);
  for (std::size_t row = 0; row < elements_of(from); row += width) {
    std::iota(order.begin(), order.end(), row);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return comes_before(from.dtype, content.data(), a, b);
    });
    for (std::size_t i = 0; i < width; ++i) take(row + i, order[i]);
  }
}

void rank_elements(const DerivedArray& from, std::span<const std::byte> content,
                   const DerivedArray& to, std::span<std::byte> out) {
  require_fit(!is_floating(to.dtype), "argsort holds indices, which are integers", from, to);
  require_fit(from.shape == to.shape, "argsort has the shape of what it sorts", from, to);
  const auto width = static_cast<std::size_t>(from.shape.back());
  sort_rows(from, content, [&](std::size_t place, std::size_t index) {
    const auto within = static_cast<std::int64_t>(index % width);
    if (const auto fault = store_integer(to.dtype, out.data(), place, within))
      throw user_error(
          fmt::format("argsort: element {} of argument '{}' is {}; choose a wider type", place,
                      to.argument, *fault));
  });
}

class InputMaker {
 public:
  InputMaker(const KernelSpec& kernel, const InputRequest& request)
      : kernel_(kernel), request_(request) {}

  std::map<std::string, InputContent> make() {
    for (const ArgumentSpec* argument : inputs_in_order(kernel_.arguments, request_.fills)) {
      if (const std::vector<std::byte>* given = given_content(*argument)) {
        made_[argument->name] = {*given, "given"};
        continue;
      }
      const std::string& fill = fill_of(*argument, request_.fills);
      const FillOrigin origin = parse_fill_origin(fill, where_of(*argument));
      // The map and the bytes do not move while more inputs are made.
      InputContent& content = made_[argument->name];
      if (origin.kind == FillKind::kNumbers) {
        make_numbers(*argument, content);
        continue;
      }
      try {
        make_other(*argument, origin, content);
      } catch (Error& error) {
        const SourceLocation where = where_of(*argument);
        error.add_context(fmt::format("while filling argument '{}'{}", argument->name,
                                      where.known() ? " of " + where.to_string() : ""));
        throw;
      }
      content.identity = fill + " sha256 " + Sha256().field(content.bytes).hex();
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] SourceLocation where_of(const ArgumentSpec& argument) const {
    return request_.fills.contains(argument.name) ? request_.fills_where : argument.fill_where;
  }

  [[nodiscard]] const std::vector<std::byte>* given_content(const ArgumentSpec& argument) const {
    if (request_.contents == nullptr) return nullptr;
    const auto found = request_.contents->find(argument.name);
    if (found == request_.contents->end()) return nullptr;
    WARPWRIGHT_CHECK(found->second.size() == plan_tensor(argument, request_.environment).bytes,
                     "what is given for an argument is as large as it");
    return &found->second;
  }

  void make_numbers(const ArgumentSpec& argument, InputContent& content) const {
    const TensorPlan plan = plan_tensor(argument, request_.environment);
    const Fill fill =
        Fill::parse(fill_of(argument, request_.fills), where_of(argument), request_.environment);
    content.identity = fill.to_string();
    content.bytes.resize(plan.bytes);
    fill.generate({plan.dtype, plan.shape, argument.name, request_.seed}, content.bytes);
  }

  void make_other(const ArgumentSpec& argument, const FillOrigin& origin, InputContent& content) {
    const TensorPlan plan = plan_tensor(argument, request_.environment);
    if (origin.kind == FillKind::kFile) {
      const WantedArray wanted{argument.name, plan.dtype, plan.shape, plan.bytes};
      content.bytes = read_input_file(open(input_path(kernel_, origin)), origin, wanted);
    } else if (origin.kind == FillKind::kGenerator) {
      content.bytes = request_.reference.generate(
          question(argument.name),
          {argument.name, origin.name, plan.dtype, plan.shape, request_.seed});
    } else {
      const TensorPlan from =
          plan_tensor(*kernel_.find_argument(origin.argument), request_.environment);
      content.bytes.resize(plan.bytes);
      derive_input(origin.kind, {origin.argument, from.dtype, from.shape},
                   made_.at(origin.argument).bytes, {argument.name, plan.dtype, plan.shape},
                   content.bytes);
    }
  }

  [[nodiscard]] InputSource open(const std::filesystem::path& file) {
    texts_ = texts_of(kernel_);
    const InputText found = texts_->find_input(file);
    if (found.large != nullptr) return {file, *found.large};
    if (found.text == nullptr) throw user_error(fmt::format("no such file: {}", file.string()));
    return {file.string(), *found.text};
  }

  // A question with the inputs that exist already, in the contract's order.
  [[nodiscard]] ReferenceQuestion question(const std::string& asking) const {
    ReferenceQuestion question;
    question.sizes = reference_sizes(kernel_, request_.problem, request_.environment);
    for (const ArgumentSpec& argument : kernel_.arguments) {
      const auto made = made_.find(argument.name);
      if (made == made_.end() || argument.name == asking) continue;
      const TensorPlan plan = plan_tensor(argument, request_.environment);
      question.inputs.push_back({argument.name, plan.dtype, plan.shape, made->second.bytes});
    }
    return question;
  }

  const KernelSpec& kernel_;
  const InputRequest& request_;
  std::shared_ptr<SourceBundle> texts_;  // of the file being read
  std::map<std::string, InputContent> made_;
};

}  // namespace

void derive_input(FillKind kind, const DerivedArray& from, std::span<const std::byte> content,
                  const DerivedArray& to, std::span<std::byte> out) {
  const std::size_t size = dtype_size(to.dtype);
  switch (kind) {
    case FillKind::kCopyOf:
      require_fit(from.dtype == to.dtype && elements_of(from) == elements_of(to),
                  "a copy has the type and the number of elements of what it copies", from, to);
      std::memcpy(out.data(), content.data(), out.size());
      return;
    case FillKind::kPrefixSum:
      return sum_prefixes(from, content, to, out);
    case FillKind::kSorted:
      require_fit(from.dtype == to.dtype && from.shape == to.shape,
                  "sorted has the type and the shape of what it sorts", from, to);
      return sort_rows(from, content, [&](std::size_t place, std::size_t index) {
        std::memcpy(out.data() + place * size, content.data() + index * size, size);
      });
    case FillKind::kArgsort:
      return rank_elements(from, content, to, out);
    default:
      WARPWRIGHT_CHECK(false, "only fills that name an argument are derived");
  }
}

std::map<std::string, InputContent> make_inputs(const KernelSpec& kernel,
                                                const InputRequest& request) {
  return InputMaker(kernel, request).make();
}

Problem reference_sizes(const KernelSpec& kernel, const Problem& problem,
                        const Environment& environment) {
  Problem sizes = problem;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role != ArgumentRole::kValue) continue;
    const std::vector<std::string>& names = argument.value.names();
    const bool from_problem = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return kernel.find_size(name) != nullptr;
    });
    if (from_problem) sizes.emplace(argument.name, argument.value.evaluate(environment));
  }
  return sizes;
}

}  // namespace warpwright
