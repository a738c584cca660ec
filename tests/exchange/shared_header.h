// The shared header that written headers include.
#pragma once

#include <string>

#include "exchange/header/shared_files.h"
#include "support/host_compiler.h"

namespace warpwright::testing {

inline void write_shared_header(const HostCompiler& host) {
  for (const EmbeddedFile& file : shared_header_files())
    host.write(std::string(file.name), file.text);
}

}  // namespace warpwright::testing
