#include "exchange/header/header_formats.h"

#include <set>
#include <string>

#include "exchange/header/selection_source.h"
#include "exchange/header/selection_writers.h"

namespace warpwright {
namespace {

using WriteSelection = std::string (*)(const SelectionModel& model, const std::string& version);

std::vector<ExportFile> write_all(const ExportRequest& request, const char* ending,
                                  WriteSelection write) {
  std::set<std::string> kernels;
  for (const Leaderboard& board : request.boards) kernels.insert(board.kernel);
  std::vector<ExportFile> files;
  for (const std::string& kernel : kernels) {
    const SelectionModel model = make_selection_model(request.database, request.boards, kernel);
    files.push_back({export_file_name({kernel}) + ending, write(model, request.version)});
  }
  return files;
}

}  // namespace

std::vector<ExportFile> export_cpp_header(const ExportRequest& request) {
  return write_all(request, ".h", cpp_header);
}

std::vector<ExportFile> export_c_header(const ExportRequest& request) {
  return write_all(request, "_c.h", c_header);
}

std::vector<ExportFile> export_select_json(const ExportRequest& request) {
  return write_all(request, ".json", select_json);
}

}  // namespace warpwright
