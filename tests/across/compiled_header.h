// A written header of the sample contract, and this machine's compilers to build it with.
#pragma once

#include <gtest/gtest.h>

#include "analysis/sample_selection.h"
#include "exchange/header/selection_writers.h"
#include "exchange/shared_header.h"
#include "support/host_compiler.h"

namespace warpwright::testing {

inline const std::string kWarnings = HostCompiler::kWarnings;

inline std::string header_text(const SelectionModel& model) {
  return selection_header(model,
                          {.version = "warpwright 0.1.0", .asked = R"({"kernel":"row_mix"})"});
}

class HeaderCompiler : public ::testing::Test {
 protected:
  void SetUp() override {
    write_shared_header(host_);
    host_.write("selection.h", header_text(sample_selection()));
  }
  void expect_compiles(const std::string& command) const {
    const CommandResult result = host_.run(command);
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.output;
    EXPECT_EQ(result.output, "") << command;
  }

  HostCompiler host_;
};

}  // namespace warpwright::testing
