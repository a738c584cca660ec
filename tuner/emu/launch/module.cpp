#include "emu/launch/module.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "emu/decode/decoder.h"
#include "emu/emulator.h"
#include "emu/ptx/ptx_parser.h"
#include "emu/ptx/sync_sites.h"

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

using ModuleImage = GlobalMemory::Impl::ModuleImage;

bool has_memory(const Variable& variable) {
  return variable.space != Space::kShared && variable.size != 0;
}

const Allocation& allocation_of(const GlobalMemory::Impl& memory, std::uint64_t address) {
  const Allocation* allocation = memory.find(address, 0);
  WARPWRIGHT_CHECK(allocation != nullptr, "a module's variables are placed once");
  return *allocation;
}

// The initial content of a variable; bytes after it are zero.
std::vector<std::byte> initial_content(const ModuleImage& image, const Variable& variable) {
  std::vector<std::byte> content = variable.initial;
  for (const Relocation& relocation : variable.relocations) {
    if (relocation.variable < 0) continue;
    const std::uint64_t value = image.addresses[static_cast<std::size_t>(relocation.variable)] +
                                static_cast<std::uint64_t>(relocation.addend);
    content.resize(std::max(content.size(), relocation.offset + sizeof value));
    std::memcpy(content.data() + relocation.offset, &value, sizeof value);
  }
  content.resize(std::min(content.size(), variable.size));
  return content;
}

// Releases large memory rather than clearing it, because most of it may never have been accessed.
void make_zero(const Allocation& allocation) {
  constexpr std::size_t kCheaperToClear = 1 << 20;
  if (allocation.bytes <= kCheaperToClear) {
    std::memset(allocation.host, 0, allocation.bytes);
  } else {
    madvise(allocation.host, allocation.mapped, MADV_DONTNEED);
  }
}

void initialise(const Program& program, const GlobalMemory::Impl& memory, ModuleImage& image,
                std::size_t index, bool is_zero) {
  const std::vector<std::byte> content = initial_content(image, program.variables[index]);
  const Allocation& allocation = allocation_of(memory, image.addresses[index]);
  if (!is_zero) make_zero(allocation);
  if (!content.empty()) std::memcpy(allocation.host, content.data(), content.size());
  image.used[index] = false;
}

// Calls `body` with the beginning and length of each run of bytes that differ from their initial
// content.
template <class Body>
void for_changes(const Program& program, const GlobalMemory::Impl& memory, const ModuleImage& image,
                 std::size_t index, Body&& body) {
  const std::vector<std::byte> content = initial_content(image, program.variables[index]);
  const Allocation& allocation = allocation_of(memory, image.addresses[index]);
  const auto differs = [&](std::size_t at) {
    return allocation.host[at] != (at < content.size() ? content[at] : std::byte{0});
  };
  for (std::size_t at = 0; at < allocation.bytes; ++at) {
    const std::size_t first = at;
    while (at < allocation.bytes && differs(at)) ++at;
    if (at != first) body(first, at - first);
  }
}

}  // namespace

Module::Module() : impl_(std::make_unique<Impl>()) {}
Module::~Module() = default;

void Module::Impl::load(const ParsedModule& parsed) {
  name = parsed.name;
  program = decode(parsed);
  for (std::size_t i = 0; i < parsed.functions.size(); ++i) {
    if (!parsed.functions[i].is_entry || !parsed.functions[i].has_body) continue;
    entries.push_back(describe(parsed.functions[i], program.functions[i]));
    entry_functions.push_back(static_cast<std::uint32_t>(i));
  }
}

std::shared_ptr<const Module> Module::parse(std::string ptx, std::string name) {
  std::shared_ptr<Module> module(new Module());
  module->impl_->load(parse_ptx(ptx, name));
  return module;
}

std::shared_ptr<const Module> Module::parse_without(const SyncSite& site, std::string ptx,
                                                    std::string name) {
  std::shared_ptr<Module> module(new Module());
  ParsedModule parsed = parse_ptx(ptx, name);
  leave_out(site, parsed);
  module->impl_->load(parsed);
  return module;
}

std::vector<SyncSite> find_sync_sites(const std::string& ptx, const std::string& name,
                                      std::span<const std::string> entries) {
  return sync_sites(parse_ptx(ptx, name), entries);
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

void place_variables(const Module& module, GlobalMemory::Impl& memory, LaunchContext& context) {
  const Program& program = module.impl().program;
  const std::lock_guard lock(memory.images_mutex);
  ModuleImage& image = memory.images[&module];
  const bool fresh = image.alive.expired();
  if (fresh) {
    image.alive = module.impl().alive;
    image.addresses.assign(program.variables.size(), 0);
    image.used.assign(program.variables.size(), false);
  }
  std::size_t static_end = context.entry->static_shared_bytes;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (variable.space == Space::kShared) {
      const std::size_t alignment = std::max<std::size_t>(variable.alignment, 1);
      if (variable.external)
        context.symbols[variable.name] = (static_end + alignment - 1) / alignment * alignment;
      continue;
    }
    if (fresh) image.addresses[i] = memory.allocate(variable.size, variable.name).address;
    context.symbols[variable.name] = image.addresses[i];
  }
  for (std::size_t i = 0; i < program.variables.size() && (fresh || image.spoilt); ++i)
    if (has_memory(program.variables[i])) initialise(program, memory, image, i, fresh);
  image.spoilt = false;
}

void spoil_variables(const Module& module, GlobalMemory::Impl& memory) {
  const std::lock_guard lock(memory.images_mutex);
  memory.images[&module].spoilt = true;
}

void write_variables(const Launch& launch, GlobalMemory::Impl& memory,
                     const LaunchContext& context) {
  if (launch.variables.empty()) return;
  const std::lock_guard lock(memory.images_mutex);
  ModuleImage& image = memory.images[launch.module];
  for (const VariableBytes& content : launch.variables) {
    const auto placed = context.symbols.find(content.name);
    if (placed == context.symbols.end() || content.bytes == 0) continue;
    const Allocation* to = memory.find(placed->second, content.bytes);
    const Allocation* from = memory.find(content.from, content.bytes);
    WARPWRIGHT_CHECK(to != nullptr && from != nullptr, "the launch's variables were checked");
    std::memcpy(to->host + (placed->second - to->address),
                from->host + (content.from - from->address), content.bytes);
    memory.define(placed->second, content.bytes);
    const GlobalMemory::Impl::GivenVariable given{to->address, from->address};
    if (std::find(memory.given.begin(), memory.given.end(), given) == memory.given.end())
      memory.given.push_back(given);
    const auto index = std::find(image.addresses.begin(), image.addresses.end(), to->address);
    WARPWRIGHT_CHECK(index != image.addresses.end(), "the launch's variables are its module's");
    image.used[static_cast<std::size_t>(index - image.addresses.begin())] = true;
  }
}

void begin_sequence(GlobalMemory& memory, std::span<const Module* const> modules,
                    SequenceStart start) {
  GlobalMemory::Impl& impl = memory.impl();
  impl.kept.forget_all();
  const std::lock_guard lock(impl.images_mutex);
  // Done before the access marks are cleared; includes the variables of all other modules.
  for (auto& [module, image] : impl.images) {
    for (std::size_t i = 0; i < image.addresses.size() && !image.alive.expired(); ++i)
      if (const Allocation* allocation = impl.find(image.addresses[i], 0))
        image.used[i] = image.used[i] || allocation->was_accessed();
  }
  impl.forget_accesses();
  if (start == SequenceStart::kKept) return;
  for (const Module* module : modules) {
    const auto found = impl.images.find(module);
    // The next launch restores an image that is invalid after a fault.
    if (found == impl.images.end() || found->second.alive.expired() || found->second.spoilt)
      continue;
    ModuleImage& image = found->second;
    const Program& program = module->impl().program;
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      if (!has_memory(program.variables[i]) || !image.used[i]) continue;
      if (start == SequenceStart::kRestored) {
        initialise(program, impl, image, i, false);
      } else {
        const Allocation& allocation = allocation_of(impl, image.addresses[i]);
        for_changes(program, impl, image, i, [&](std::size_t first, std::size_t bytes) {
          impl.kept.set(allocation, first, bytes);
        });
      }
    }
  }
}

std::vector<std::pair<std::string, std::size_t>> changed_variables(GlobalMemory& memory,
                                                                   const Module& module) {
  GlobalMemory::Impl& impl = memory.impl();
  const std::lock_guard lock(impl.images_mutex);
  std::vector<std::pair<std::string, std::size_t>> changed;
  const auto found = impl.images.find(&module);
  // The next launch restores an image that is invalid after a fault.
  if (found == impl.images.end() || found->second.alive.expired() || found->second.spoilt)
    return changed;
  const ModuleImage& image = found->second;
  const Program& program = module.impl().program;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (!has_memory(variable)) continue;
    const Allocation& allocation = allocation_of(impl, image.addresses[i]);
    const bool given = std::any_of(impl.given.begin(), impl.given.end(), [&](const auto& one) {
      return one.variable == allocation.address;
    });
    if (given || (!image.used[i] && !allocation.was_accessed())) continue;
    bool differs = false;
    for_changes(program, impl, image, i, [&](std::size_t, std::size_t) { differs = true; });
    if (differs) changed.emplace_back(variable.name, variable.size);
  }
  return changed;
}

}  // namespace warpwright::emu
