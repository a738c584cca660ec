// `warpwright import`: files of results into a database, in one transaction. Databases are merged
// in; T4 files become trials that say where they come from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exchange/merge/merge.h"

namespace warpwright {

struct ImportOptions {
  std::string kernel = "", device = "", problem = "";  // of T4 files, as in T4ImportOptions
  std::string version = "", command_line = "", now_utc = "";
  MergeOptions merge = {};
};

struct ImportReport {
  struct File {
    std::string format;  // "database" or "T4"
    std::vector<std::string> notes = {};
  };
  MergeReport merged;       // its files are those given
  std::vector<File> files;  // likewise
};

// Every file is read before the target is opened, or made when it is missing. Throws Error as
// read_result_file(), read_t4() and import_t4(), and user errors for options that only T4 files
// take when there is none.
ImportReport import_files(const std::vector<std::filesystem::path>& files,
                          const std::filesystem::path& target, const ImportOptions& options);

// The same for databases alone, as `warpwright merge` takes them.
MergeReport merge_files(const std::vector<std::filesystem::path>& files,
                        const std::filesystem::path& target, const MergeOptions& options = {});

}  // namespace warpwright
