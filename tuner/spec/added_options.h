// Options and header folders that a sweep or a command line adds to those of a contract: folders
// that differ from machine to machine, and options for a single experiment. They become part of the
// contract's text, as its section `added`, so that everything derived from the contract includes
// them: keys, the input of workers, and the data stored with results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_bundle.h"
#include "spec/compiler_inputs.h"

namespace warpwright {

struct KernelSpec;  // spec/kernel_spec.h
class YamlMap;      // spec/yaml_reader.h

struct AddedOptions {
  std::vector<CompileOption> options;
  std::vector<std::filesystem::path> include;  // absolute

  [[nodiscard]] bool empty() const { return options.empty() && include.empty(); }
  // The section as it appears at the end of a contract; "" if empty.
  [[nodiscard]] std::string section() const;
  // Adds the entries of `other` that are not present yet.
  void add(const AddedOptions& other);
};

// Reads the keys `options` and `include` of a sweep, or of a contract's `added`. Folders are
// relative to `folder`. check_added() checks which names the options may use.
[[nodiscard]] AddedOptions read_added(const YamlMap& map, const std::filesystem::path& folder,
                                      bool must_exist);
// Reads --option and --include from the command line, each in order.
[[nodiscard]] AddedOptions parse_added(const std::vector<std::string>& options,
                                       const std::vector<std::string>& include);
// Throws Error (user) unless every variant of the kernel has the names that the options use.
void check_added(const AddedOptions& added, const KernelSpec& kernel);

// Returns the contract with the section added, read again through `texts` or a new bundle; returns
// the same contract if there is nothing to add.
[[nodiscard]] KernelSpec with_added(const KernelSpec& kernel, const AddedOptions& added,
                                    std::shared_ptr<SourceBundle> texts = nullptr);

// The section of a contract that was stored or sent to another process; "" if it has none.
[[nodiscard]] std::string added_section(std::string_view contract);

}  // namespace warpwright
