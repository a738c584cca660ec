// What the fills of a contract refer to: files beside it, and other arguments. Inputs of numbers
// and of files come first; those made from others follow in the order of the contract, and may use
// all that are there by then.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/fill_origin.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// Checks one fill, of an argument or of a case, which stands at `at`. Throws Error (user) for a
// file that is not there or not of a known kind, and for a generator where there is no reference.
void check_fill(const YamlReader& at, const std::string& fill, const KernelSpec& kernel,
                const ArgumentSpec& argument);

// Checks that what inputs are made from is there before them, with the fills of a case (or none) in
// place of the contract's. Throws Error (user) at `at`, or at the argument's fill without one.
void check_fill_order(const std::vector<ArgumentSpec>& arguments,
                      const std::map<std::string, std::string>& fills, const YamlReader* at);

// The fill that an argument has, `fills` being those that replace the contract's.
[[nodiscard]] const std::string& fill_of(const ArgumentSpec& argument,
                                         const std::map<std::string, std::string>& fills);

// The inputs in the order in which they are made.
[[nodiscard]] std::vector<const ArgumentSpec*> inputs_in_order(
    const std::vector<ArgumentSpec>& arguments, const std::map<std::string, std::string>& fills);

[[nodiscard]] std::filesystem::path input_path(const KernelSpec& kernel, const FillOrigin& origin);
// The files that any fill of the contract and of its cases names, each once, by path.
[[nodiscard]] std::vector<std::filesystem::path> input_files(const KernelSpec& kernel);
// SHA-256 of such a file, as the kernel's texts have it. Throws Error (user) when it is not there.
[[nodiscard]] std::string input_hash(const KernelSpec& kernel, const std::filesystem::path& file);
// Whether the reference makes an input, of the contract's own fills.
[[nodiscard]] bool uses_generator(const KernelSpec& kernel);

}  // namespace warpwright
