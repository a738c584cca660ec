// What the results of a T4 file are of, which the format does not say: kernel, device and problem.
// From the command line, from the metadata that our own export writes, or from the file's name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "exchange/t4_file.h"
#include "exchange/t4_import.h"

namespace warpwright {

struct T4Subject {
  std::string kernel, device;
  std::string problem_text, problem_json;
  std::string fingerprint;  // follows from the device's name
  bool modelled = false;
};

// Throws Error (user) as import_t4().
[[nodiscard]] T4Subject subject_of(const T4File& file, const T4ImportOptions& options);

// What our own export wrote into the metadata; {} for files of others.
[[nodiscard]] nlohmann::json our_metadata(const T4File& file);

// A member that is a text; "" otherwise.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* member);

}  // namespace warpwright
