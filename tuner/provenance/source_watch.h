// Notices that sources were edited while a sweep runs.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "spec/kernel_spec.h"

namespace warpwright {

// The results of a sweep remain those of the texts that were read at its start; an edit is reported
// to the user once for each file.
class SourceWatch {
 public:
  // `include_folders` are those of the compile jobs.
  SourceWatch(const KernelSpec& kernel, std::vector<std::filesystem::path> include_folders);

  // Returns one sentence for every file that has changed since it was read and was not reported
  // before.
  [[nodiscard]] std::vector<std::string> news();

 private:
  const KernelSpec kernel_;
  const std::vector<std::filesystem::path> include_folders_;
  std::set<std::filesystem::path> named_;
};

}  // namespace warpwright
