// `warpwright import`: reads files of results into a database, in one transaction. Databases are
// merged; T4 files become trials that record where they come from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exchange/merge/merge.h"

namespace warpwright {

struct ImportOptions {
  std::string kernel = "", device = "", problem = "";  // for T4 files, as in T4ImportOptions
  std::string version = "", command_line = "", now_utc = "";
  MergeOptions merge = {};
};

struct ImportReport {
  struct File {
    std::string format;  // "database" or "T4"
    std::vector<std::string> notes = {};
  };
  MergeReport merged;       // its files are in the order given
  std::vector<File> files;  // in the order given
};

// Reads every file before the target is opened, or created if it is missing. Throws the errors of
// read_result_file(), read_t4() and import_t4(), and Error (user) for options that apply only to T4
// files if there are none.
ImportReport import_files(const std::vector<std::filesystem::path>& files,
                          const std::filesystem::path& target, const ImportOptions& options);

// The same for databases only, as `warpwright merge` accepts them.
MergeReport merge_files(const std::vector<std::filesystem::path>& files,
                        const std::filesystem::path& target, const MergeOptions& options = {});

}  // namespace warpwright
