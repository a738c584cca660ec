// The interface between `warpwright export` and its formats. A format is a function from a request
// to files; the verb decides where the files go and compresses those that end in ".gz".
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "store/database.h"

namespace warpwright {

struct ExportRequest {
  const Database& database;
  std::string kernel;               // "" for all
  std::vector<Leaderboard> boards;  // at least one; their rows have their samples
  // Every stored trial, including repeated and outdated ones, in the order stored; only filled with
  // --all-trials.
  std::vector<Database::TrialRow> all_trials = {};
  std::string version = "";  // of this program
  // Options of headers; see exchange/header/header_origin.h. In `asked`, $KERNEL stands for the
  // name of each kernel.
  std::string prefix = "ww_", name_space = "", asked = "";
};

struct ExportFile {
  std::string name;  // below the folder that -o names, when there are several files
  std::string content;
  // The file goes into the same folder as the others, under its own name, wherever they go.
  bool beside = false;
};

using ExportWriter = std::vector<ExportFile> (*)(const ExportRequest& request);

// "softmax_topk-NVIDIA_H200-rows_8192": the parts that are not empty, joined by "-", with nothing
// in them that a file name should not have.
[[nodiscard]] std::string export_file_name(const std::vector<std::string>& parts);

// The folder of a device's files, as results/ names it: "nvidia-h200" for "NVIDIA H200".
[[nodiscard]] std::string device_folder_name(const std::string& device_name);

}  // namespace warpwright
