// Code of a file with launch comments that was withheld from the device compiler: host headers, and
// bodies and declarations that it rejects.
#pragma once

#include <string>

#include "core/error.h"

namespace warpwright {

struct LeftOut {
  enum class What { kHeader, kBody, kLaunchingBody, kDeclaration };
  What what = What::kHeader;
  std::string name;  // as written; "" if it has none
  SourcePosition where;
  std::string why;  // compiler message; "" if it was not asked
};

}  // namespace warpwright
