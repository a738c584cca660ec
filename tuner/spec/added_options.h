// What a sweep or a command line compiles with beside a contract's own: folders of headers that lie
// elsewhere on every machine, options that are to be tried once. It becomes part of the contract's
// text, as its section `added`, so that everything made of the contract has it: keys, what workers
// are given, and what is stored with results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_bundle.h"
#include "spec/compile_option.h"

namespace warpwright {

struct KernelSpec;  // spec/kernel_spec.h
class YamlMap;      // spec/yaml_reader.h

struct AddedOptions {
  std::vector<CompileOption> options;
  std::vector<std::filesystem::path> include;  // absolute

  [[nodiscard]] bool empty() const { return options.empty() && include.empty(); }
  // The section as it stands at the end of a contract; "" when empty.
  [[nodiscard]] std::string section() const;
  // Adds those of the other, without what is there already.
  void add(const AddedOptions& other);
};

// The keys `options` and `include` of a sweep, or of a contract's `added`. Folders are relative to
// `folder`. Which names the options may use is checked by check_added().
[[nodiscard]] AddedOptions read_added(const YamlMap& map, const std::filesystem::path& folder,
                                      bool must_exist);
// Of the command line: --option and --include, each in order.
[[nodiscard]] AddedOptions parse_added(const std::vector<std::string>& options,
                                       const std::vector<std::string>& include);
// Throws Error (user) unless every variant of the kernel has what the options use.
void check_added(const AddedOptions& added, const KernelSpec& kernel);

// The contract with the section, read again through `texts`, or a bundle of its own; the same one
// when there is nothing to add.
[[nodiscard]] KernelSpec with_added(const KernelSpec& kernel, const AddedOptions& added,
                                    std::shared_ptr<SourceBundle> texts = nullptr);

// The section of a contract that was stored or sent on; "" when it has none.
[[nodiscard]] std::string added_section(std::string_view contract);

}  // namespace warpwright
