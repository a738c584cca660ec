#include <algorithm>

#include "emu/decode/decoder.h"
#include "emu/emulator.h"
#include "emu/exec/module_impl.h"
#include "emu/ptx/ptx_parser.h"

namespace warpwright::emu {
namespace {

Module::Entry describe(const ParsedFunction& function, const Function& decoded) {
  Module::Entry entry;
  entry.name = function.name;
  for (const std::uint32_t index : function.parameters) {
    const Variable& variable = function.variables[index];
    const std::size_t alignment = std::max<std::size_t>(variable.alignment, 1);
    const std::size_t offset = (entry.parameter_bytes + alignment - 1) / alignment * alignment;
    entry.parameters.push_back({variable.name, offset, variable.size, alignment});
    entry.parameter_bytes = offset + variable.size;
  }
  entry.static_shared_bytes = decoded.static_shared_bytes;
  std::copy_n(function.max_threads, 3, entry.max_threads.begin());
  std::copy_n(function.required_cluster, 3, entry.required_cluster.begin());
  return entry;
}

}  // namespace

Module::Module() : impl_(std::make_unique<Impl>()) {}
Module::~Module() = default;

std::shared_ptr<const Module> Module::parse(std::string ptx, std::string name) {
  std::shared_ptr<Module> module(new Module());
  Impl& impl = *module->impl_;
  impl.name = std::move(name);
  const ParsedModule parsed = parse_ptx(ptx, impl.name);
  impl.program = decode(parsed);
  for (std::size_t i = 0; i < parsed.functions.size(); ++i) {
    if (!parsed.functions[i].is_entry || !parsed.functions[i].has_body) continue;
    impl.entries.push_back(describe(parsed.functions[i], impl.program.functions[i]));
    impl.entry_functions.push_back(static_cast<std::uint32_t>(i));
  }
  return module;
}

const std::vector<Module::Entry>& Module::entries() const { return impl_->entries; }

const Module::Entry* Module::find(std::string_view name) const {
  const auto found = std::find_if(impl_->entries.begin(), impl_->entries.end(),
                                  [name](const Entry& entry) { return entry.name == name; });
  return found == impl_->entries.end() ? nullptr : &*found;
}

std::optional<std::size_t> Module::variable_bytes(std::string_view name) const {
  for (const Variable& variable : impl_->program.variables)
    if (variable.space != Space::kShared && variable.name == name) return variable.size;
  return std::nullopt;
}

}  // namespace warpwright::emu
