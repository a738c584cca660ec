#include "records/status.h"

#include <array>

#include "core/error.h"

namespace warpwright {
namespace {

struct Named {
  Status status;
  std::string_view name;
};

// These names are stored in databases: add at the end, never rename.
constexpr std::array<Named, 14> kNames = {{
    {Status::kOk, "ok"},
    {Status::kInvalid, "invalid"},
    {Status::kCompileFailed, "compile_failed"},
    {Status::kLaunchFailed, "launch_failed"},
    {Status::kWrongResult, "wrong_result"},
    {Status::kNondeterministic, "nondeterministic"},
    {Status::kHazard, "hazard"},
    {Status::kCrashed, "crashed"},
    {Status::kTimeout, "timeout"},
    {Status::kPruned, "pruned"},
    {Status::kNoisy, "noisy"},
    {Status::kViolates, "violates"},
    {Status::kImpossible, "impossible"},
    {Status::kNotCompiled, "not_compiled"},
}};

constexpr auto kStatuses = [] {
  std::array<Status, kNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kNames[i].status;
  return all;
}();

}  // namespace

std::string_view status_name(Status status) {
  for (const Named& named : kNames) {
    if (named.status == status) return named.name;
  }
  check_failed("status has a name", __FILE__, __LINE__, "a status without a name");
}

std::optional<Status> parse_status(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.status;
  }
  return std::nullopt;
}

std::span<const Status> all_statuses() { return kStatuses; }

bool settled(Status status) { return status != Status::kNoisy && status != Status::kNotCompiled; }

bool ran_right(Status status) {
  return status == Status::kOk || status == Status::kPruned || status == Status::kNoisy;
}

}  // namespace warpwright
