#include "exchange/export_format.h"

#include "core/words.h"

namespace warpwright {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_';
}

}  // namespace

std::string export_file_name(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!name.empty()) name += '-';
    for (const char c : part) name += is_plain(c) ? c : '_';
  }
  // A leading dot would hide the file.
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  return name;
}

std::string device_folder_name(const std::string& device_name) {
  std::string name;
  for (const char c : lower(device_name)) {
    if (is_letter(c) || is_digit(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "device" : name;
}

}  // namespace warpwright
