#include "run/trial_key.h"

#include "core/files.h"
#include "core/hash.h"

namespace warpwright {

std::string variant_hash(const KernelSpec& kernel, const VariantSpec& variant,
                         const std::vector<std::filesystem::path>& include_folders) {
  CompileJob source_only;
  source_only.source = variant.source;
  source_only.include_folders = include_folders;
  source_only.arch = "any";
  return Sha256()
      .field(read_file(kernel.file))
      .field(read_file(kernel.reference.source))
      .field(variant.name)
      .field(portable_key(source_only))
      .hex();
}

std::string trial_key(const std::string& variant, const std::string& compile_key,
                      const std::map<std::string, Value>& problem,
                      const Configuration& configuration, const DeviceInfo& device,
                      std::uint64_t seed) {
  Sha256 hash;
  hash.field(kTrialProtocol).field(variant).field(compile_key).field(device.fingerprint());
  for (const auto& [name, value] : problem)
    hash.field(name).field(value.type_name()).field(value.to_string());
  hash.field(configuration.to_string()).field(std::to_string(seed));
  return hash.hex();
}

}  // namespace warpwright
