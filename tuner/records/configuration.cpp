#include "records/configuration.h"

namespace warpwright {

std::string Configuration::to_string() const {
  std::string text = variant;
  for (const auto& [name, value] : values) {
    if (!text.empty()) text += ' ';
    text += name + '=' + value.to_string();
  }
  return text;
}

}  // namespace warpwright
