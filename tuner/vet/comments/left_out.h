// What a device compiler was not given of a file with launch comments: headers for the host, bodies
// and declarations that it does not take.
#pragma once

#include <string>

#include "core/error.h"

namespace warpwright {

struct LeftOut {
  enum class What { kHeader, kBody, kLaunchingBody, kDeclaration };
  What what = What::kHeader;
  std::string name;  // as named; "" for what has none
  SourcePosition where;
  std::string why;  // what the compiler says; "" where it was not asked
};

}  // namespace warpwright
