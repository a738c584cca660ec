// PTX that is decoded and then run, under all checkers or none: whatever it does, the launch ends
// in a report; and where that says that no other schedule can differ, others do not. Limits are in
// instructions, so that a slow machine changes nothing.
#include <gtest/gtest.h>

#include <cstring>

#include "core/error.h"
#include "emu/decode/decoder.h"
#include "emu/emulator.h"
#include "fuzz/fuzz.h"
#include "fuzz/ptx_corpus.h"

namespace warpwright::fuzz {
namespace {

constexpr std::size_t kBufferBytes = 4096;
constexpr std::uint64_t kMostInstructions = 3000;
// Beyond these a module asks for more than a launch of a fuzz test should have.
constexpr std::size_t kMostSharedBytes = 64 << 10, kMostParameterBytes = 32 << 10;

// What looks like a pointer gets one, and anything else a small number.
std::vector<std::byte> parameters_of(const emu::Module::Entry& entry, std::uint64_t buffer) {
  std::vector<std::byte> bytes(entry.parameter_bytes);
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8)
    std::memcpy(bytes.data() + at, &buffer, sizeof buffer);
  if (const std::size_t rest = bytes.size() % 8; rest > 0)
    bytes[bytes.size() - rest] = std::byte{7};
  return bytes;
}

// Other schedules than seed 1's that must agree with it where it stands for all.
constexpr std::uint64_t kOtherSchedules = 3;

emu::LaunchReport run_schedule(const emu::Module& module, const emu::Module::Entry& entry,
                               bool check, std::uint64_t seed, std::vector<std::byte>& left) {
  emu::GlobalMemory memory;
  const std::uint64_t buffer = memory.allocate(kBufferBytes, "buffer");
  std::memset(memory.host_view(buffer, kBufferBytes), 1, kBufferBytes);
  emu::Launch launch;
  launch.module = &module;
  launch.entry = entry.name;
  launch.grid = {2, 1, 1};
  launch.block = {48, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    if (entry.required_cluster[i] > 0)
      launch.cluster[i] = launch.grid[i] = static_cast<std::uint32_t>(entry.required_cluster[i]);
  }
  launch.dynamic_shared_bytes = 1024;
  launch.parameters = parameters_of(entry, buffer);
  emu::LaunchOptions options;
  options.threads = 1;
  options.instruction_limit = kMostInstructions;
  options.check = check;
  options.seed = seed;
  emu::LaunchReport report = run(memory, *emu::find_model("sm_90a"), launch, options);
  const std::byte* bytes = memory.host_view(buffer, kBufferBytes);
  left.assign(bytes, bytes + kBufferBytes);
  return report;
}

void run_entry(const emu::Module& module, const emu::Module::Entry& entry, bool check) {
  std::vector<std::byte> first, other;
  const emu::LaunchReport report = run_schedule(module, entry, check, 1, first);
  for (std::uint64_t seed = 2; report.same_under_all_schedules && seed < 2 + kOtherSchedules;
       ++seed) {
    const emu::LaunchReport again = run_schedule(module, entry, check, seed, other);
    if (again.fault || !again.hazards.empty() || other != first)
      throw PropertyFault{"another schedule differs from one that stands for all"};
  }
  if (report.fault && report.fault->message.empty())
    throw PropertyFault{"a fault without a message"};
  if (report.fault) throw user_error(report.fault->message);
}

void run_ptx(const std::string& text) {
  try {
    const auto module = emu::Module::parse(text, "fuzzed.ptx");
    for (const emu::Module::Entry& entry : module->entries()) {
      if (entry.static_shared_bytes > kMostSharedBytes ||
          entry.parameter_bytes > kMostParameterBytes)
        continue;
      run_entry(*module, entry, text.size() % 2 == 0);
    }
  } catch (const emu::UnsupportedPtx& unsupported) {
    throw user_error(unsupported.what());
  }
}

TEST(Fuzz, RunPtx) {
  const Mutator mutator = ptx_mutator(emu::opcode_table());
  FuzzTarget target;
  target.name = "machine";
  target.seed = 2;
  target.inputs = 3000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = run_ptx;
  target.least_taken = target.least_refused = target.inputs / 50;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
