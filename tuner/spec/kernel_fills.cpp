#include "spec/kernel_fills.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/hash.h"
#include "core/suggest.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

bool is_input(const ArgumentSpec& argument) {
  return argument.role == ArgumentRole::kIn || argument.role == ArgumentRole::kInOut;
}

// Why `argument` cannot be derived from the argument that its fill names; nullopt if it can.
std::optional<std::string> order_fault(const std::vector<ArgumentSpec>& arguments,
                                       const std::map<std::string, std::string>& fills,
                                       const ArgumentSpec& argument, const FillOrigin& origin) {
  if (origin.argument == argument.name)
    return fmt::format("'{}' cannot be made from itself", argument.name);
  std::vector<std::string> inputs;
  const ArgumentSpec* from = nullptr;
  for (const ArgumentSpec& other : arguments) {
    if (!is_input(other) || &other == &argument) continue;
    inputs.push_back(other.name);
    if (other.name == origin.argument) from = &other;
  }
  if (from == nullptr)
    return fmt::format("unknown input '{}'{}", origin.argument,
                       suggestion(origin.argument, inputs));
  const bool later = from > &argument;
  if (later && parse_fill_origin(fill_of(*from, fills), from->fill_where).is_made_later())
    return fmt::format(
        "'{}' is made after '{}': it is further down and made from others itself; "
        "move it above",
        from->name, argument.name);
  return std::nullopt;
}

}  // namespace

void check_fill(const YamlReader& at, const std::string& fill, const KernelSpec& kernel,
                const ArgumentSpec& argument) {
  const FillOrigin origin = parse_fill_origin(fill, at.where());
  if (origin.kind == FillKind::kNumbers) return;
  if (!is_input(argument))
    throw at.error(fmt::format(
        "'{}' is for inputs; scratch holds numbers, such as zeros or sequence(0, 1)", fill));
  if (origin.kind == FillKind::kFile) {
    static_cast<void>(input_format(origin, at.where()));
    existing_input(at, origin.file, kernel);
  }
  if (origin.kind == FillKind::kGenerator && kernel.launch_only)
    throw at.error("needs a reference, which a launch contract does not have");
}

void check_fill_order(const std::vector<ArgumentSpec>& arguments,
                      const std::map<std::string, std::string>& fills, const YamlReader* at) {
  for (const ArgumentSpec& argument : arguments) {
    if (!is_input(argument)) continue;
    const std::string& text = fill_of(argument, fills);
    const FillOrigin origin = parse_fill_origin(text, argument.fill_where);
    if (!origin.is_derived()) continue;
    const std::optional<std::string> fault = order_fault(arguments, fills, argument, origin);
    if (!fault) continue;
    const std::string what =
        fmt::format("argument '{}', fill '{}': {}", argument.name, text, *fault);
    throw at != nullptr ? at->error(what) : user_error(argument.fill_where, what);
  }
}

const std::string& fill_of(const ArgumentSpec& argument,
                           const std::map<std::string, std::string>& fills) {
  const auto replaced = fills.find(argument.name);
  return replaced == fills.end() ? argument.fill : replaced->second;
}

std::vector<const ArgumentSpec*> inputs_in_order(const std::vector<ArgumentSpec>& arguments,
                                                 const std::map<std::string, std::string>& fills) {
  std::vector<const ArgumentSpec*> order;
  for (const ArgumentSpec& argument : arguments)
    if (is_input(argument)) order.push_back(&argument);
  std::stable_partition(order.begin(), order.end(), [&](const ArgumentSpec* argument) {
    return !parse_fill_origin(fill_of(*argument, fills), argument->fill_where).is_made_later();
  });
  return order;
}

fs::path input_path(const KernelSpec& kernel, const FillOrigin& origin) {
  return (kernel.folder / origin.file).lexically_normal();
}

std::vector<fs::path> input_files(const KernelSpec& kernel) {
  std::set<fs::path> files;
  const auto add = [&](const std::string& fill, const SourcePosition& where) {
    const FillOrigin origin = parse_fill_origin(fill, where);
    if (origin.kind == FillKind::kFile) files.insert(input_path(kernel, origin));
  };
  for (const ArgumentSpec& argument : kernel.arguments) add(argument.fill, argument.fill_where);
  for (const CaseSpec& test : kernel.cases)
    for (const auto& [argument, fill] : test.fills) add(fill, test.where);
  return {files.begin(), files.end()};
}

std::string input_hash(const KernelSpec& kernel, const fs::path& file) {
  const std::shared_ptr<SourceBundle> texts = texts_of(kernel);
  const InputText found = texts->find_input(file);
  if (found.large != nullptr) return found.large->sha256;
  return sha256_hex(found.text != nullptr ? *found.text : texts->require(file));
}

bool uses_generator(const KernelSpec& kernel) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(), [](const ArgumentSpec& one) {
    return parse_fill_origin(one.fill, one.fill_where).kind == FillKind::kGenerator;
  });
}

}  // namespace warpwright
