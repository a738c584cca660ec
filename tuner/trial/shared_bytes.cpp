#include "trial/shared_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/expr/expr.h"

namespace warpwright {
namespace {

struct GivenBytes {
  const LaunchSpec* launch = nullptr;
  std::optional<std::int64_t> bytes;  // nullopt: depends on values that are not compiled in
};

// Names that the source sees as macros.
Environment compiled_in(const KernelSpec& kernel, const Configuration& configuration,
                        const Problem& problem) {
  Environment environment;
  for (const auto& [name, value] : configuration.values) environment.set(name, value);
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto value = problem.find(size.name);
    if (!size.macro.empty() && value != problem.end()) environment.set(size.name, value->second);
  }
  return environment;
}

// Returns nullopt for an expression that cannot be evaluated or is not a number of bytes; the error
// is reported where the launch is planned.
std::optional<std::int64_t> bytes_of(const Expr& shared, const Environment& known) {
  const bool all_known =
      std::all_of(shared.names().begin(), shared.names().end(),
                  [&](const std::string& name) { return known.find(name) != nullptr; });
  if (!all_known) return std::nullopt;
  try {
    const std::int64_t bytes = shared.evaluate_integer(known);
    if (bytes >= 0) return bytes;
  } catch (const Error&) {
  }
  return std::nullopt;
}

// The place omits the folder, because failures are stored and compared between machines.
SharedBytesDefine define(const KernelSpec& kernel, std::string name, const GivenBytes& given) {
  const SourcePosition& where = given.launch->shared_bytes.where();
  SourcePosition place = where;
  place.file = kernel.file.filename().string();
  return {std::move(name), std::to_string(*given.bytes),
          fmt::format("{}: `shared` of the launch of '{}' is {} bytes", place.to_string(),
                      given.launch->entry.text(), *given.bytes)};
}

}  // namespace

std::vector<SharedBytesDefine> shared_bytes_defines(const KernelSpec& kernel,
                                                    const VariantSpec& variant,
                                                    const Configuration& configuration,
                                                    const Problem& problem) {
  const Environment known = compiled_in(kernel, configuration, problem);
  std::vector<GivenBytes> all;
  for (const LaunchSpec& launch : variant.launches) {
    // An expression that the contract omits has no place.
    if (launch.shared_bytes.where().known())
      all.push_back({&launch, bytes_of(launch.shared_bytes, known)});
  }
  const auto agrees_with = [](const GivenBytes& one) {
    return [&one](const GivenBytes& other) { return other.bytes && other.bytes == one.bytes; };
  };
  if (all.empty()) return {};
  if (std::all_of(all.begin(), all.end(), agrees_with(all.front())))
    return {define(kernel, kSharedBytesMacro, all.front())};
  std::vector<SharedBytesDefine> defines;
  std::set<std::string> entries;
  for (const GivenBytes& one : all) {
    // The macro of an entry contains its name, so the name must be valid in a macro.
    const EntryName& entry = one.launch->entry;
    if (!one.bytes || !entry.is_plain() || !entries.insert(entry.text()).second) continue;
    const auto same = agrees_with(one);
    const bool agree = std::all_of(all.begin(), all.end(), [&](const GivenBytes& other) {
      return other.launch->entry.text() != entry.text() || same(other);
    });
    if (agree)
      defines.push_back(define(kernel, fmt::format("{}_{}", kSharedBytesMacro, entry.text()), one));
  }
  return defines;
}

}  // namespace warpwright
