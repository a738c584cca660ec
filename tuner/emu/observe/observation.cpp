#include "emu/observe/observation.h"

#include <numeric>

namespace warpwright::emu {
namespace {

struct ActivityNames {
  const char* one;
  const char* many;
  const char* key;
};
// In the order of Activity.
constexpr std::array<ActivityNames, kActivities> kActivityNames = {{
    {"global load", "global loads", "global_loads"},
    {"global store", "global stores", "global_stores"},
    {"global atomic", "global atomics", "global_atomics"},
    {"shared load", "shared loads", "shared_loads"},
    {"shared store", "shared stores", "shared_stores"},
    {"shared atomic", "shared atomics", "shared_atomics"},
    {"matrix load", "matrix loads", "matrix_loads"},
    {"matrix store", "matrix stores", "matrix_stores"},
    {"local access", "local accesses", "local_accesses"},
    {"cp.async", "cp.async", "cp_async"},
    {"bulk load", "bulk loads", "bulk_loads"},
    {"bulk store", "bulk stores", "bulk_stores"},
    {"async store", "async stores", "async_stores"},
    {"tensor", "tensor", "tensor"},
    {"float", "float", "float"},
    {"special", "special", "special"},
    {"integer", "integer", "integer"},
    {"conversion", "conversions", "conversions"},
    {"exchange", "exchanges", "exchanges"},
    {"barrier", "barriers", "barriers"},
    {"mbarrier", "mbarrier", "mbarrier"},
    {"fence", "fences", "fences"},
    {"group operation", "group operations", "group_operations"},
    {"other", "other", "other"},
}};

constexpr const char* kWayNames[] = {"load",         "store",    "atomic",    "matrix load",
                                     "matrix store", "cp.async", "bulk copy", "bulk copy",
                                     "async store",  "wgmma",    "mbarrier"};

std::uint64_t length(const std::vector<ByteRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const ByteRange& range) { return sum + range.end - range.first; });
}

}  // namespace

const char* activity_name(Activity activity, std::uint64_t count) {
  const ActivityNames& names = kActivityNames[static_cast<std::size_t>(activity)];
  return count == 1 ? names.one : names.many;
}
const char* activity_key(Activity activity) {
  return kActivityNames[static_cast<std::size_t>(activity)].key;
}
const char* way_name(Way way) { return kWayNames[static_cast<std::size_t>(way)]; }

bool writes(Way way) {
  return way == Way::kStore || way == Way::kAtomic || way == Way::kMatrixStore ||
         way == Way::kCpAsync || way == Way::kBulkLoad || way == Way::kAsyncStore;
}

std::uint64_t ActivityCounts::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

ActivityCounts& ActivityCounts::operator+=(const ActivityCounts& other) {
  for (std::size_t i = 0; i < kActivities; ++i) counts[i] += other.counts[i];
  return *this;
}

std::uint64_t BufferUse::distinct_read() const { return length(read_ranges); }
std::uint64_t BufferUse::distinct_written() const { return length(written_ranges); }

std::optional<std::uint64_t> CopyBuffer::stage_bytes() const {
  for (const Stage& stage : stages)
    if (stage.bytes != stages.front().bytes) return std::nullopt;
  return stages.empty() ? std::nullopt : std::optional(stages.front().bytes);
}

std::uint64_t CopyBuffer::fills() const {
  std::uint64_t sum = 0;
  for (const Stage& stage : stages) sum += stage.fills;
  return sum;
}

}  // namespace warpwright::emu
