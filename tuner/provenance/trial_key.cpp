#include "provenance/trial_key.h"

#include "compile/compile_cache.h"
#include "core/hash.h"
#include "provenance/kernel_sources.h"
#include "spec/accounting.h"
#include "spec/kernel_fills.h"

namespace warpwright {

std::string variant_hash(const KernelSpec& kernel, const VariantSpec& variant,
                         const std::vector<std::filesystem::path>& include_folders) {
  CompileJob source_only;
  source_only.source = variant.source;
  source_only.include_folders = kernel.header_folders(include_folders);
  source_only.arch = "any";
  source_only.texts = texts_of(kernel);
  Sha256 hash;
  hash.field(text_without_accounting(
                 text_without_presets(kernel, source_only.texts->require(kernel.file))))
      .field(source_only.texts->require(kernel.reference.source))
      .field(variant.name)
      .field(portable_key(source_only));
  // The program's own header defines how references are called, not what is correct.
  for (const SourceFile& file : reference_files(kernel, include_folders)) {
    const bool own = file.path.parent_path() == kernel.folder;
    if (file.path != kernel.reference.source && (own || file.path.filename() != "reference.h"))
      hash.field(file.name).field(file.content);
  }
  for (const std::filesystem::path& file : input_files(kernel)) {
    const std::string name = stored_path(file, kernel, include_folders).value_or(file.string());
    hash.field("input").field(name).field(input_hash(kernel, file));
  }
  return hash.hex();
}

std::string trial_key(const std::string& variant, const std::string& compile_key,
                      const Problem& problem, const Configuration& configuration,
                      const DeviceInfo& device, std::uint64_t seed) {
  Sha256 hash;
  hash.field(kTrialProtocol).field(variant).field(compile_key).field(device.fingerprint());
  for (const auto& [name, value] : problem)
    hash.field(name).field(value.type_name()).field(value.to_string());
  hash.field(configuration.to_string()).field(std::to_string(seed));
  return hash.hex();
}

}  // namespace warpwright
