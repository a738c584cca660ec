#include "spec/gpu_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

#include "core/error.h"
#include "core/shared_names.h"
#include "core/words.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGpuKind = "a GPU";
constexpr std::string_view kExtension = ".yaml";

std::vector<std::string> ceiling_names() {
  std::vector<std::string> names = memory_ceilings();
  names.insert(names.end(), arithmetic_ceilings().begin(), arithmetic_ceilings().end());
  names.emplace_back(kSpecialCeiling);
  return names;
}

GpuCeiling read_ceiling(const YamlReader& key, const YamlReader& value) {
  GpuCeiling ceiling;
  ceiling.name = key.text();
  const std::vector<std::string> known = ceiling_names();
  if (std::find(known.begin(), known.end(), ceiling.name) == known.end())
    throw key.error(
        fmt::format("unknown ceiling '{}'{}", ceiling.name, suggestion(ceiling.name, known)));
  const YamlMap map = value.map({"value", "source"});
  const YamlReader number = map.require("value", "value: 4800");
  ceiling.value = number.number();
  if (!(ceiling.value > 0) || !std::isfinite(ceiling.value))
    throw number.error(fmt::format("got {}, expected a rate above 0", ceiling.value));
  ceiling.source = map.require("source", "source: NVIDIA H200 datasheet").nonempty_text();
  return ceiling;
}

}  // namespace

std::string_view GpuCeiling::unit() const {
  return name == kSpecialCeiling ? "Gop/s" : ceiling_unit(name);
}

GpuFile parse_gpu(std::string_view text, const fs::path& file) {
  const YamlDocument document = parse_yaml(text, file.string(), kGpuKind);
  const YamlMap map = YamlReader(document).map({"gpu", "title", "ceilings"});
  GpuFile gpu;
  gpu.name = map.require("gpu", "gpu: h200").nonempty_text();
  gpu.title = map.require("title", "title: NVIDIA H200 SXM").nonempty_text();
  for (const auto& [key, value] :
       map.require("ceilings", "ceilings: {read: {value: 4800, source: ...}}").entries())
    gpu.ceilings.push_back(read_ceiling(key, value));
  if (std::none_of(gpu.ceilings.begin(), gpu.ceilings.end(),
                   [](const GpuCeiling& one) { return one.name == "read"; }))
    throw map.reader().error("has no ceiling `read`, the bandwidth of its memory; add it");
  return gpu;
}

GpuFile find_gpu(const std::string& wanted, const fs::path& folder) {
  if (wanted.ends_with(kExtension)) return parse_gpu(read_yaml_text(wanted, kGpuKind), wanted);
  std::set<std::string> known;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored))
    if (it->path().extension() == kExtension) known.insert(it->path().stem().string());
  if (!known.contains(wanted)) {
    const std::vector<std::string> names(known.begin(), known.end());
    const std::optional<std::string> near = nearest(wanted, names);
    throw user_error(fmt::format("--at {}: unknown GPU; known: {}{}", wanted, join(names),
                                 near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
  const fs::path file = folder / (wanted + std::string(kExtension));
  return parse_gpu(read_yaml_text(file, kGpuKind), file);
}

}  // namespace warpwright
