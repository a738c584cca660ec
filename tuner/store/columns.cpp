#include "store/columns.h"

#include <nlohmann/json.hpp>

namespace warpwright {

nlohmann::json parse_column(const std::string& text, const ColumnName& name) {
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) throw damaged_column(name, text);
  return parsed;
}

}  // namespace warpwright
