#include "cli/device_claim.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "spec/sweep_spec.h"
#include "sweep/run_records.h"
#include "workers/worker_node.h"

namespace warpwright {
namespace {

// Returns "ada", or the number of a user without a name, which is common in containers.
std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  char text[1024];
  if (::getpwuid_r(::getuid(), &entry, text, sizeof(text), &found) == 0 && found != nullptr)
    return found->pw_name;
  return fmt::format("user {}", ::getuid());
}

std::chrono::milliseconds parse_wait(const std::string& text) {
  try {
    const Budget budget = parse_budget(text);
    if (budget.time && !budget.trials && !budget.until) return *budget.time;
  } catch (const Error&) {
    // reported below, in the option's terms
  }
  throw user_error(fmt::format(
      "--wait: got '{}', expected a time as in 10min, or nothing to wait without end", text));
}

// A word after --wait must be a time; this rejects the argument that the verb needs in `bench
// --wait gemv`.
CLI::Validator time_to_wait() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        const bool digits = !text.empty() && text.front() >= '0' && text.front() <= '9';
        if (digits) return "";
        return fmt::format(
            "got '{}', expected a time as in 10min; --wait without one goes behind all names",
            text);
      },
      "");
}

}  // namespace

void DeviceClaim::add_option(CLI::App& verb) {
  given_ = verb.add_option("--wait", longest_,
                           "Wait while another process measures on the GPU; at most so long: 10min")
               ->expected(0, 1)
               ->type_name("[TIME]")
               ->check(time_to_wait());
}

void DeviceClaim::take(const std::vector<DeviceInfo>& devices, const GlobalOptions& global,
                       const WorkerNode* node) {
  std::optional<LockOptions> options = lock_options_from_environment();
  // Each node decides whether and where its own devices are locked.
  if (node != nullptr && !options) options.emplace();
  if (given_ != nullptr && given_->count() > 0) {
    const std::string text = given_->as<std::string>();
    if (!text.empty() && options) options->longest = parse_wait(text);
    if (options) options->wait = true;
  }
  if (!options) return;
  options->owner = {::getpid(), user_name(), utc_now(), global.command_line};
  options->say = [&](const std::string& line) {
    print_message(global, fmt::format("warpwright: {}\n", line));
  };
  if (node != nullptr) return node->claim(devices, *options);
  locks_.reset();
  locks_ = std::make_unique<DeviceLocks>(devices, *options);
}

}  // namespace warpwright
