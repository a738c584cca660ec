#include "records/kernel_resources.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_CODEC(KernelResources, entry, registers, static_shared, constant, stack, spill_stores,
                 spill_loads)

namespace {

using Figure = std::optional<int> EntryResources::*;

constexpr std::pair<const char*, Figure> kFigures[] = {
    {"registers", &EntryResources::registers},
    {"static_shared", &EntryResources::static_shared},
    {"dynamic_shared", &EntryResources::dynamic_shared},
    {"constant", &EntryResources::constant},
    {"stack", &EntryResources::stack},
    {"spill_stores", &EntryResources::spill_stores},
    {"spill_loads", &EntryResources::spill_loads},
    {"block_threads", &EntryResources::block_threads},
};

}  // namespace

EntryResources::EntryResources(const KernelResources& compiled)
    : entry(compiled.entry),
      registers(compiled.registers),
      static_shared(compiled.static_shared),
      constant(compiled.constant),
      stack(compiled.stack),
      spill_stores(compiled.spill_stores),
      spill_loads(compiled.spill_loads) {}

void to_json(nlohmann::json& json, const EntryResources& resources) {
  json = {{"entry", resources.entry}};
  for (const auto& [name, figure] : kFigures)
    if (const auto& value = resources.*figure) json[name] = *value;
}

void from_json(const nlohmann::json& json, EntryResources& resources) {
  if (const auto found = json.find("entry"); found != json.end() && found->is_string())
    resources.entry = found->get<std::string>();
  for (const auto& [name, figure] : kFigures) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_unsigned()) continue;
    const auto count = found->get<std::uint64_t>();
    if (count <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      resources.*figure = static_cast<int>(count);
  }
}

}  // namespace warpwright
