#include "bench/argument_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "trial/data/problem_data.h"
#include "trial/numbers/dtype.h"

namespace warpwright {
namespace {

std::string role_name(ArgumentRole role) {
  switch (role) {
    case ArgumentRole::kIn:
      return "in";
    case ArgumentRole::kOut:
      return "out";
    case ArgumentRole::kInOut:
      return "in-out";
    default:
      return "scratch";
  }
}

const emu::BufferUse* find_use(const std::vector<emu::BufferUse>& uses, const std::string& label) {
  const auto found = std::find_if(uses.begin(), uses.end(),
                                  [&](const emu::BufferUse& use) { return use.label == label; });
  return found == uses.end() ? nullptr : &*found;
}

void set_use(ArgumentUse& to, const emu::Observation& observation, std::size_t element_bytes) {
  if (const emu::BufferUse* use = find_use(observation.buffers, to.name)) {
    to.read = use->read;
    to.distinct_read = use->distinct_read();
    to.written = use->written;
    to.distinct_written = use->distinct_written();
    to.atomics = use->atomics;
  }
  if (const emu::BufferUse* use = find_use(observation.block.buffers, to.name)) {
    to.block_reads = region_of(use->read_ranges, to.shape, element_bytes);
    to.block_writes = region_of(use->written_ranges, to.shape, element_bytes);
  }
}

bool passes(const std::vector<const ArgumentSpec*>& arguments, const ArgumentSpec& array) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const ArgumentSpec* argument) {
    return argument->name == array.name || (argument->map && argument->map->tensor == array.name);
  });
}

}  // namespace

ArrayRegion region_of(const std::vector<emu::ByteRange>& ranges,
                      const std::vector<std::int64_t>& shape, std::size_t element_bytes) {
  ArrayRegion region;
  region.ranges = ranges.size();
  for (const emu::ByteRange& range : ranges) region.bytes += range.end - range.first;
  if (ranges.empty() || shape.empty() || element_bytes == 0) return region;
  std::vector<std::pair<std::int64_t, std::int64_t>> box(shape.size(), {INT64_MAX, 0});
  for (const emu::ByteRange& range : ranges) {
    if (range.first % element_bytes != 0 || range.end % element_bytes != 0) return region;
    auto first = static_cast<std::int64_t>(range.first / element_bytes);
    auto last = static_cast<std::int64_t>(range.end / element_bytes) - 1;
    // From the innermost axis: once a range goes on to the next index of an outer axis, it takes
    // in both ends of the inner one.
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const std::int64_t extent = shape[axis];
      const bool wraps = axis != 0 && first / extent != last / extent;
      const std::int64_t from = wraps ? 0 : axis == 0 ? first : first % extent;
      const std::int64_t to = wraps ? extent - 1 : axis == 0 ? last : last % extent;
      box[axis].first = std::min(box[axis].first, from);
      box[axis].second = std::max(box[axis].second, to + 1);
      first /= extent;
      last /= extent;
    }
  }
  std::uint64_t volume = element_bytes;
  for (const auto& [from, to] : box) volume *= static_cast<std::uint64_t>(to - from);
  region.fills_box = volume == region.bytes;
  region.box = std::move(box);
  return region;
}

std::vector<ArgumentUse> argument_uses(const KernelSpec& kernel,
                                       const std::vector<const ArgumentSpec*>& arguments,
                                       const Environment& environment,
                                       const emu::Observation& observation) {
  std::vector<ArgumentUse> uses;
  for (const ArgumentSpec& array : kernel.arguments) {
    if (array.role == ArgumentRole::kValue || array.map || !passes(arguments, array)) continue;
    const TensorPlan plan = plan_tensor(array, environment);
    ArgumentUse& use = uses.emplace_back();
    use.name = array.name;
    use.role = role_name(array.role);
    use.dtype = dtype_name(plan.dtype);
    use.shape = plan.shape;
    std::vector<std::string> axes;
    for (const Expr& axis : array.shape) axes.push_back(axis.text());
    use.shape_text = fmt::format("{}", fmt::join(axes, ", "));
    use.bytes = plan.bytes;
    set_use(use, observation, dtype_size(plan.dtype));
  }
  for (const emu::BufferUse& buffer : observation.buffers) {
    if (kernel.find_argument(buffer.label) != nullptr) continue;
    ArgumentUse& use = uses.emplace_back();
    use.name = buffer.label;
    use.role = "variable";
    use.bytes = buffer.bytes;
    set_use(use, observation, 0);
  }
  return uses;
}

}  // namespace warpwright
