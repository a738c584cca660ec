#include "bench/graph/connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/suggest.h"
#include "trial/data/dtype.h"
#include "trial/data/problem_data.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace {

// Vector loads and tensor maps need this alignment.
constexpr std::int64_t kAlignment = 16;

std::vector<std::string> argument_names(const KernelSpec& kernel, bool outputs) {
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : kernel.arguments) {
    const bool fits = outputs ? is_validated(argument.role) : argument.role == ArgumentRole::kIn;
    if (fits) names.push_back(argument.name);
  }
  return names;
}

const ArgumentSpec& output_named(const ConnectedKernel& from, const ConnectionRequest& request) {
  const ArgumentSpec* output = from.kernel->find_argument(request.output);
  if (output != nullptr && is_validated(output->role)) return *output;
  throw user_error(request.where,
                   fmt::format("'{}' is not an output of step '{}' ({}){}", request.output,
                               from.step, from.kernel->name,
                               suggestion(request.output, argument_names(*from.kernel, true))));
}

const ArgumentSpec& input_named(const ConnectedKernel& to, const ConnectionRequest& request) {
  const ArgumentSpec* input = to.kernel->find_argument(request.argument);
  if (input == nullptr || input->role != ArgumentRole::kIn) {
    const bool written = input != nullptr && input->role == ArgumentRole::kInOut;
    throw user_error(
        request.where,
        fmt::format("'{}' {} step '{}' ({}){}", request.argument,
                    written ? "is written by" : "is not an input of", to.step, to.kernel->name,
                    written ? "; only what is read alone can be connected"
                            : suggestion(request.argument, argument_names(*to.kernel, false))));
  }
  if (input->symbol.empty()) return *input;
  throw user_error(request.where,
                   fmt::format("'{}' of step '{}' is the variable '{}' of its module, which is "
                               "written before the sequence runs; it cannot be connected",
                               request.argument, to.step, input->symbol));
}

std::string typed(const TensorPlan& plan, const std::vector<std::int64_t>& shape) {
  return fmt::format("{} [{}]", dtype_name(plan.dtype), fmt::join(shape, ", "));
}

// The shape that remains after slicing; `first` receives the first element.
std::vector<std::int64_t> sliced(const TensorPlan& output, const ConnectionRequest& request,
                                 std::int64_t& first) {
  std::vector<std::int64_t> shape = output.shape;
  if (!request.first) return shape;
  const std::int64_t last_axis = shape.back();
  if (*request.first < 0 || *request.end > last_axis || *request.first >= *request.end) {
    throw user_error(
        request.where,
        fmt::format("{}: got {} to {}, expected a part of 0 to {}, the last axis of {}",
                    request.text, *request.first, *request.end, last_axis,
                    typed(output, output.shape)));
  }
  const bool one_row =
      std::all_of(shape.begin(), shape.end() - 1, [](std::int64_t extent) { return extent == 1; });
  if (!one_row && *request.end - *request.first != last_axis) {
    throw user_error(
        request.where,
        fmt::format("{}: part of the rows of {}, which do not lie together; only a single row can "
                    "be cut",
                    request.text, typed(output, output.shape)));
  }
  const auto width = static_cast<std::int64_t>(dtype_size(output.dtype));
  if (*request.first * width % kAlignment != 0) {
    throw user_error(request.where,
                     fmt::format("{}: begins {} bytes into '{}', expected a multiple of {}",
                                 request.text, *request.first * width, request.output, kAlignment));
  }
  first = *request.first;
  shape.back() = *request.end - *request.first;
  return shape;
}

}  // namespace

bool same_but_for_merged_axes(const std::vector<std::int64_t>& a,
                              const std::vector<std::int64_t>& b) {
  const auto counting = [](const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> kept;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(kept),
                 [](std::int64_t extent) { return extent != 1; });
    return kept;
  };
  std::vector<std::int64_t> fine = counting(a), coarse = counting(b);
  if (fine.size() < coarse.size()) std::swap(fine, coarse);
  std::size_t at = 0;
  for (const std::int64_t extent : coarse) {
    if (at == fine.size()) return false;
    std::int64_t merged = fine[at++];
    while (merged < extent && at < fine.size()) merged *= fine[at++];
    if (merged != extent) return false;
  }
  return at == fine.size();
}

std::int64_t connect(const ConnectedKernel& from, const ConnectedKernel& to,
                     const ConnectionRequest& request) {
  const TensorPlan output = plan_tensor(output_named(from, request), from.environment);
  const TensorPlan input = plan_tensor(input_named(to, request), to.environment);
  if (output.elements == 0) {
    throw user_error(request.where, fmt::format("{} has no elements on this problem: {}",
                                                request.text, typed(output, output.shape)));
  }
  std::int64_t first = 0;
  const std::vector<std::int64_t> shape = sliced(output, request, first);
  if (output.dtype != input.dtype || !same_but_for_merged_axes(shape, input.shape)) {
    throw user_error(
        request.where,
        fmt::format("got {} of step '{}' ({}), which is {}; expected {}, the '{}' of "
                    "step '{}' ({})",
                    request.text, from.step, from.kernel->name, typed(output, shape),
                    typed(input, input.shape), request.argument, to.step, to.kernel->name));
  }
  return first;
}

}  // namespace warpwright
