// Generates the texts that a repro folder holds in addition to the sources. Used by repro.cpp.
#pragma once

#include <string>
#include <vector>

#include "store/database.h"

namespace warpwright {

// A stored trial with the rows it refers to.
struct StoredTrial {
  std::string database;  // its name in messages
  Database::TrialRow row;
  RunRecord run;
  DeviceRecord device;
  std::string kernel_folder;  // below kernels/, which is what a sweep calls the kernel
  std::string contract;       // kernel.yaml as it was
  std::vector<std::string> inputs_left_out;  // too large to be stored: paths below the folder
};

[[nodiscard]] std::string repro_sweep(const StoredTrial& stored);
[[nodiscard]] std::string repro_json(const StoredTrial& stored);
[[nodiscard]] std::string repro_script(const StoredTrial& stored, const std::string& device);
[[nodiscard]] std::string repro_readme(const StoredTrial& stored, const std::string& device);

}  // namespace warpwright
