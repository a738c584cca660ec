#include "cli/results_file.h"

namespace warpwright {

Database open_results(const std::filesystem::path& file) {
  return Database(file, OpenMode::kReadOnly);
}

}  // namespace warpwright
