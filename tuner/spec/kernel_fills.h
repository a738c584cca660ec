// The files and arguments that the fills of a contract refer to; files lie in the contract's
// folder. Inputs filled with numbers or from files come first; derived inputs follow in the order
// of the contract, and may use all inputs that exist by then.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/fill_origin.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// Checks one fill, of an argument or of a case, located at `at`. Throws Error (user) for a file
// that is missing or of an unknown kind, and for a generator without a reference.
void check_fill(const YamlReader& at, const std::string& fill, const KernelSpec& kernel,
                const ArgumentSpec& argument);

// Checks that derived inputs come after the inputs they derive from, with the fills of a case (or
// none) replacing the contract's. Throws Error (user) at `at`, or at the argument's fill if `at` is
// absent.
void check_fill_order(const std::vector<ArgumentSpec>& arguments,
                      const std::map<std::string, std::string>& fills, const YamlReader* at);

// The effective fill of an argument; `fills` replace the contract's.
[[nodiscard]] const std::string& fill_of(const ArgumentSpec& argument,
                                         const std::map<std::string, std::string>& fills);

// The inputs in the order in which they are filled.
[[nodiscard]] std::vector<const ArgumentSpec*> inputs_in_order(
    const std::vector<ArgumentSpec>& arguments, const std::map<std::string, std::string>& fills);

[[nodiscard]] std::filesystem::path input_path(const KernelSpec& kernel, const FillOrigin& origin);
// All files that the fills of the contract and of its cases name, each once, by path.
[[nodiscard]] std::vector<std::filesystem::path> input_files(const KernelSpec& kernel);
// The SHA-256 of such a file, as recorded in the kernel's texts. Throws Error (user) if it is
// missing.
[[nodiscard]] std::string input_hash(const KernelSpec& kernel, const std::filesystem::path& file);
// Returns true if the reference generates an input, according to the contract's own fills.
[[nodiscard]] bool uses_generator(const KernelSpec& kernel);

}  // namespace warpwright
