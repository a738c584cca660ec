// The hidden verb `worker`: the processes that warpwright starts of itself.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/verb.h"
#include "compile/compile_pool.h"
#include "core/error.h"
#include "run/device_query.h"
#include "run/measure_worker.h"
#include "selftest/worker.h"

namespace warpwright {

void add_worker_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("worker", "")->group("");
  auto role = std::make_shared<std::string>();
  verb->add_option("role", *role)
      ->required()
      ->check(CLI::IsMember({"compile", "measure", "devices", "selftest"}));
  verb->callback([role, context] {
    context.action = [role] {
      if (*role == "compile") return compile_worker_main();
      if (*role == "measure") return measure_worker_main();
      if (*role == "selftest") return selftest_worker_main();
      return devices_worker_main();
    };
  });
}

}  // namespace warpwright
