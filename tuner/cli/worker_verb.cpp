// Implements the hidden verb `worker`: the processes that warpwright starts from its own
// executable.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/verb.h"
#include "compile/compile_pool.h"
#include "core/error.h"
#include "harness/selftest/selftest_worker.h"
#include "workers/device_query.h"
#include "workers/measure_worker.h"
#include "workers/reference_ahead.h"
#include "workers/sequence_worker.h"

namespace warpwright {

void add_worker_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("worker", "")->group("");
  auto role = std::make_shared<std::string>();
  verb->add_option("role", *role)
      ->required()
      ->check(
          CLI::IsMember({"compile", "measure", "reference", "sequence", "devices", "selftest"}));
  verb->callback([role, context] {
    context.action = [role] {
      if (*role == "compile") return compile_worker_main();
      if (*role == "measure") return measure_worker_main();
      if (*role == "reference") return reference_worker_main();
      if (*role == "sequence") return sequence_worker_main();
      if (*role == "selftest") return selftest_worker_main();
      return devices_worker_main();
    };
  });
}

}  // namespace warpwright
