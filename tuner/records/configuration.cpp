#include "records/configuration.h"

#include <nlohmann/json.hpp>

namespace warpwright {

std::string Configuration::to_string() const {
  std::string text = variant;
  for (const auto& [name, value] : values) {
    if (!text.empty()) text += ' ';
    text += name + '=' + value.to_string();
  }
  return text;
}

std::string configuration_text(const std::string& variant, const ParameterValues& values) {
  std::string text = variant;
  for (const auto& [name, value] : values) {
    std::string word = value.to_string();
    if (value.is_string() &&
        (word.empty() || word.find_first_of(" \t\r\n=\"") != std::string::npos)) {
      using Json = nlohmann::json;
      word = Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    text += (text.empty() ? "" : " ") + name + "=" + word;
  }
  return text;
}

}  // namespace warpwright
