// Finds the subject of a T4 file's results, which the format does not record: kernel, device and
// problem. They come from the command line, from the metadata that our own export writes, or from
// the file's name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "exchange/t4/t4_file.h"
#include "exchange/t4/t4_import.h"
#include "records/configuration.h"
#include "records/stored.h"

namespace warpwright {

struct T4Subject {
  std::string kernel, device;
  std::string problem_text;
  Stored<Problem> problem;
  std::string fingerprint;  // follows from the device's name
  bool modelled = false;
};

// Throws the same user errors as import_t4().
[[nodiscard]] T4Subject subject_of(const T4File& file, const T4ImportOptions& options);

// The metadata that our own export wrote; {} for files of other programs.
[[nodiscard]] nlohmann::json our_metadata(const T4File& file);

// Returns a member that is a text; "" otherwise.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* member);

}  // namespace warpwright
