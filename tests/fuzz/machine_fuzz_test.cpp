// PTX that is decoded and then run, under all checkers or none: whatever it does, the launch ends
// in a report; and if the report says that no other schedule can differ, others do not. Limits are
// in instructions, so that a slow machine changes nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "emu/decode/decoder.h"
#include "emu/emulator.h"
#include "fuzz/fuzz.h"
#include "fuzz/ptx_corpus.h"

namespace warpwright::fuzz {
namespace {

constexpr std::size_t kBufferBytes = 4096;
constexpr std::uint64_t kMaxInstructions = 3000;
// Beyond these a module asks for more than a launch of a fuzz test should have.
constexpr std::size_t kMaxSharedBytes = 64 << 10, kMaxParameterBytes = 32 << 10;

// A parameter that looks like a pointer gets one, and any other a small number.
std::vector<std::byte> parameters_of(const emu::Module::Entry& entry, std::uint64_t buffer) {
  std::vector<std::byte> bytes(entry.parameter_bytes);
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8)
    std::memcpy(bytes.data() + at, &buffer, sizeof buffer);
  if (const std::size_t rest = bytes.size() % 8; rest > 0)
    bytes[bytes.size() - rest] = std::byte{7};
  return bytes;
}

// The number of other schedules that must agree with seed 1's where that one stands for all.
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
  options.instruction_limit = kMaxInstructions;
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
      if (entry.static_shared_bytes > kMaxSharedBytes || entry.parameter_bytes > kMaxParameterBytes)
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

// A module in which every size is an impossible one, or next to an impossible one.
std::string hostile_module(Random& random) {
  static const std::vector<std::string> kSizes = {"0",
                                                  "1",
                                                  "2",
                                                  "7",
                                                  "16",
                                                  "31",
                                                  "33",
                                                  "255",
                                                  "4096",
                                                  "65536",
                                                  "1048577",
                                                  "2147483647",
                                                  "2147483648",
                                                  "4294967295",
                                                  "4294967296",
                                                  "1099511627776",
                                                  "1099511627777",
                                                  "9223372036854775807",
                                                  "9223372036854775808",
                                                  "18446744073709551615",
                                                  "18446744073709551616",
                                                  "0x7fffffffffffffff",
                                                  "-1"};
  // N stands for a size.
  static const std::vector<std::string> kOutside = {".global .align 4 .b8 g[N];",
                                                    ".const .b32 c[N];",
                                                    ".shared .align N .b8 s[N];",
                                                    ".extern .shared .align 16 .b8 d[];",
                                                    ".global .b8 h[N][N] = {1, 2};",
                                                    ".global .b64 a[2] = {g+N, generic(c)+N};",
                                                    ".file N \"a.cu\"",
                                                    ".global .align N .b32 i = N;"};
  static const std::vector<std::string> kInside = {
      ".reg .b32 %x<N>;",
      ".local .align 8 .b8 l[N];",
      ".shared .b8 t[N];",
      ".loc N N N",
      "mov.u32 %r1, N;",
      "mov.u64 %rd1, p;",
      "mov.u64 %rd1, N;",
      "ld.param.u64 %rd1, [p+N];",
      "ld.global.u32 %r1, [%rd1+N];",
      "st.global.v4.u32 [%rd1+N], {%r1, %r2, %r1, %r2};",
      "ld.shared.u8 %r1, [%r2+N];",
      "st.shared.u32 [N], %r1;",
      "st.local.u32 [%rd1+N], %r1;",
      "ld.const.u32 %r1, [N];",
      "shl.b32 %r1, %r2, N;",
      "shf.l.wrap.b32 %r1, %r2, %r1, N;",
      "bfe.u32 %r1, %r2, N, N;",
      "shfl.sync.idx.b32 %r1, %r2, N, N, N;",
      "bar.sync N, N;",
      "barrier.cluster.arrive;",
      "brx.idx %r1, T;",
      "@%p1 brx.idx %r2, T;",
      "nanosleep.u32 N;",
      "setmaxnreg.inc.sync.aligned.u32 N;",
      "cp.async.ca.shared.global [%r1+N], [%rd1+N], N;",
      "cp.async.wait_group N;",
      "atom.global.add.u32 %r1, [%rd1+N], N;"};
  const auto with_sizes = [&](std::string text) {
    for (std::size_t at = text.find('N'); at != std::string::npos; at = text.find('N', at)) {
      const std::string& size = random.of(kSizes);
      text.replace(at, 1, size);
      at += size.size();
    }
    return text + "\n";
  };
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  for (std::size_t i = random.below(3); i > 0; --i) text += with_sizes(random.of(kOutside));
  text += ".visible .entry k(.param .u64 p";
  if (random.one_in(4)) text += with_sizes(", .param .align N .b8 q[N]");
  text += ")\n";
  if (random.one_in(6)) text += with_sizes(".maxntid N, N, N");
  if (random.one_in(6)) text += with_sizes(".reqnctapercluster N, N, N");
  text +=
      "{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.reg .pred %p<2>;\n"
      "T: .branchtargets A, B;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
      "ld.param.u64 %rd1, [p];\nsetp.eq.u32 %p1, %r1, 0;\n";
  for (std::size_t i = 1 + random.below(5); i > 0; --i) text += with_sizes(random.of(kInside));
  return text + "A:\nB:\nret;\n}\n";
}

TEST(Fuzz, PtxOfHostileSizes) {
  FuzzTarget target;
  target.name = "ptx_sizes";
  target.seed = 3;
  target.inputs = 3000;
  target.make = hostile_module;
  target.check = run_ptx;
  target.least_taken = target.least_refused = target.inputs / 50;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
