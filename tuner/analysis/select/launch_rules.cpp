#include "analysis/select/launch_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "analysis/select/selection_model.h"
#include "core/expr/expr_node.h"

namespace warpwright {
namespace {

constexpr std::array<ArchSharedMemory, 12> kShared = {{{70, 98304},
                                                       {75, 65536},
                                                       {80, 166912},
                                                       {86, 101376},
                                                       {87, 166912},
                                                       {89, 101376},
                                                       {90, 232448},
                                                       {100, 232448},
                                                       {103, 232448},
                                                       {110, 232448},
                                                       {120, 101376},
                                                       {121, 101376}}};

}  // namespace

std::span<const ArchSharedMemory> arch_shared_memory() { return kShared; }

std::optional<int> compute_capability_of(const std::string& arch) {
  constexpr std::string_view kPrefix = "sm_";
  if (!arch.starts_with(kPrefix)) return std::nullopt;
  int capability = 0;
  std::size_t at = kPrefix.size();
  for (; at < arch.size() && arch[at] >= '0' && arch[at] <= '9' && capability < 1000; ++at)
    capability = 10 * capability + (arch[at] - '0');
  const bool rest = std::all_of(arch.begin() + static_cast<std::ptrdiff_t>(at), arch.end(),
                                [](char c) { return c >= 'a' && c <= 'z'; });
  return capability > 0 && rest ? std::optional(capability) : std::nullopt;
}

std::map<std::string, Value> least_limits(int compute_capability) {
  int shared = kLeastShared;
  for (const ArchSharedMemory& arch : kShared) {
    if (arch.compute_capability == compute_capability) shared = arch.max_shared;
  }
  return {{"max_shared", shared},
          {"max_shared_per_block", shared},
          {"max_threads", 1024},
          {"warp_size", 32},
          {"sm_count", kLeastSmCount},
          {"registers_per_sm", 65536},
          {"registers_per_block", 65536},
          {"l2_bytes", 0},
          {"compute_capability", compute_capability},
          {"global_bytes", 0}};
}

namespace {

struct TypeRange {
  std::string_view dtype, low, high;
};
// Every value fits into an i64. Reals become infinite if they do not fit.
constexpr TypeRange kTypeRanges[] = {
    {"i64", "", "9223372036854775807"},
    {"u64", "0", "9223372036854775807"},
    {"i32", "-2147483648", "2147483647"},
    {"u32", "0", "4294967295"},
    {"i16", "-32768", "32767"},
    {"u16", "0", "65535"},
    {"i8", "-128", "127"},
    {"u8", "0", "255"},
    {"bool", "0", "1"},
    {"f64", "", ""},
    {"f32", "-3.4028234663852886e38", "3.4028234663852886e38"},
    {"bf16", "-3.3895313892515355e38", "3.3895313892515355e38"},
    {"f16", "-65504", "65504"},
};

bool is_literal(const Expr& expr) { return expr.root().kind == ExprKind::kLiteral; }

class Rules {
 public:
  void require(const std::string& condition, std::string because) {
    if (!seen_.insert(condition).second) return;
    list_.push_back({Expr::parse(condition), std::move(because)});
  }
  // Requires that `value` lies in a range; "" leaves an end open.
  void within(const Expr& value, std::string_view low, std::string_view high,
              const std::string& because) {
    const std::string text = "(" + value.to_string() + ")";
    std::string condition;
    if (!low.empty()) condition = fmt::format("{} >= {}", text, low);
    if (!high.empty())
      condition += fmt::format("{}{} <= {}", condition.empty() ? "" : " && ", text, high);
    if (!condition.empty()) require(condition, because);
  }
  [[nodiscard]] std::vector<ConstraintSpec> take() { return std::move(list_); }

 private:
  std::set<std::string> seen_;
  std::vector<ConstraintSpec> list_;
};

void add_scalar(Rules& rules, const ArgumentSpec& argument) {
  for (const TypeRange& range : kTypeRanges) {
    if (argument.dtype != range.dtype || is_literal(argument.value)) continue;
    rules.within(argument.value, range.low, range.high,
                 fmt::format("the argument {} is an {}", argument.name, argument.dtype));
  }
}

// Sources see such a size as a literal, which they keep in an int unless the contract says how
// large it may be.
void add_macro(Rules& rules, const ProblemSizeSpec& size) {
  if (size.macro.empty() || size.max || is_categorical(size) || !sample_of(size).is_integer())
    return;
  rules.within(Expr::parse(size.name), "-2147483648", "2147483647",
               fmt::format("the source has {} as the int {}", size.name, size.macro));
}

// Requires that the array's bytes can be counted.
void add_array(Rules& rules, const ArgumentSpec& array) {
  std::string bytes = fmt::format("sizeof({})", array.dtype);
  for (const Expr& axis : array.shape) bytes += " * (" + axis.to_string() + ")";
  rules.require(bytes + " >= 0", fmt::format("{} is an array", array.name));
}

void add_launch(Rules& rules, const LaunchSpec& launch) {
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    if (is_literal(launch.grid[axis])) continue;
    rules.within(launch.grid[axis], "1", axis == 0 ? "2147483647" : "65535",
                 axis == 0 ? "a grid has 1 to 2^31 - 1 blocks in x"
                           : "a grid has 1 to 65535 blocks in y and z");
  }
  std::string threads;
  bool fixed = true;
  for (const Expr& extent : launch.block) {
    threads += (threads.empty() ? "(" : " * (") + extent.to_string() + ")";
    fixed &= is_literal(extent);
    if (!is_literal(extent)) rules.within(extent, "1", "", "a block has threads");
  }
  if (!fixed) rules.require(threads + " <= device.max_threads", "the device launches no more");
  if (!is_literal(launch.shared_bytes))
    rules.require("(" + launch.shared_bytes.to_string() + ") <= device.max_shared",
                  "a block has no more shared memory");
}

}  // namespace

std::vector<ConstraintSpec> launch_rules(const KernelSpec& kernel, const VariantSpec& variant) {
  Rules rules;
  for (const ProblemSizeSpec& size : kernel.problem) add_macro(rules, size);
  for (const ArgumentSpec& argument : kernel.arguments) {
    const bool array =
        argument.role != ArgumentRole::kValue && argument.role != ArgumentRole::kTensorMap;
    if (array && passes_array(kernel, variant, argument.name)) add_array(rules, argument);
  }
  for (const LaunchSpec& launch : variant.launches) {
    for (const std::string& name : launch.arguments) {
      const ArgumentSpec* argument = kernel.find_argument(name);
      if (argument != nullptr && argument->role == ArgumentRole::kValue)
        add_scalar(rules, *argument);
    }
    add_launch(rules, launch);
  }
  return rules.take();
}

std::vector<ConstraintSpec> selection_rules(const KernelSpec& kernel, const VariantSpec& variant) {
  std::vector<ConstraintSpec> all;
  for (const ConstraintSpec* constraint : constraints_of(kernel, variant))
    all.push_back(*constraint);
  std::vector<ConstraintSpec> more = launch_rules(kernel, variant);
  std::move(more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace warpwright
