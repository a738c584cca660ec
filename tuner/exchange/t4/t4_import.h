// Turns a T4 file into records of a database. None of it can be mistaken for a measurement of this
// program: its trials, failed ones included, have the protocol "imported-t4-1" and a device of
// their own whose fingerprint follows from its name alone; file name and SHA-256 stay with them.
// Times are converted to microseconds. The median and its interval are computed here from the raw
// runtimes; the file's own value (usually a mean) is kept in the trial's measurement as
// "published_us".
#pragma once

#include <string>
#include <vector>

#include "exchange/merge/snapshot.h"
#include "exchange/t4/t4_file.h"

namespace warpwright {

inline constexpr const char* kT4Protocol = "imported-t4-1";

struct T4ImportOptions {
  std::string
      file_name;       // without folders; "KERNEL-DEVICE.json.gz" names both when nothing else does
  std::string sha256;  // of the file's unpacked content
  std::string kernel, device;  // "": from the metadata that our own export writes, or the file name
  std::string problem;         // "image=4096 filter=15"; "": from our metadata, or "published"
  // Columns of the run that is stored with the trials.
  std::string version, command_line, now_utc;
};

struct T4Import {
  Snapshot snapshot;               // one device, kernel and run
  std::vector<std::string> notes;  // remarks for the reader: units assumed, values left out
};

// Throws Error (user): no kernel or device known, unknown unit, a problem that is not NAME=VALUE,
// an invalidity unknown to this program.
[[nodiscard]] T4Import import_t4(const T4File& file, const T4ImportOptions& options);

}  // namespace warpwright
