// run(): checks a launch, places the module's variables, and deals blocks to host threads.
//
// Blocks start in order. A block that has not finished after kBlockSlice instructions makes room
// for the next one, up to as many as the device would hold at a time, so blocks that wait for later
// ones (grid barriers) do get there.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "emu/block.h"
#include "emu/line_profile.h"
#include "emu/module_impl.h"

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kBlockSlice =
    1u << 16;  // instructions between looks at limits and cancellation
constexpr std::uint64_t kSlicesBeforeSharing =
    64;  // a block runs this long alone before another joins it,
constexpr std::uint64_t kSlicesOnceSharing = 2;  // and this long from then on

std::uint64_t count(const std::array<std::uint32_t, 3>& v) {
  return std::uint64_t{v[0]} * v[1] * v[2];
}

LaunchFault invalid(std::string message) {
  LaunchFault fault;
  fault.kind = FaultKind::kInvalidLaunch;
  fault.message = std::move(message);
  return fault;
}

// What a driver would refuse, with the number that was asked and the limit.
std::optional<LaunchFault> check_launch(const DeviceModel& device, const Launch& launch,
                                        const Module::Entry* entry) {
  if (entry == nullptr) return invalid(fmt::format("the module has no entry '{}'", launch.entry));
  const std::uint64_t threads = count(launch.block);
  const auto limit = static_cast<std::uint64_t>(device.max_threads_per_block);
  if (threads == 0 || count(launch.grid) == 0)
    return invalid("the launch has an empty grid or block");
  if (threads > limit) {
    return invalid(fmt::format("a block of {} threads exceeds the {} that {} allows", threads,
                               limit, device.arch));
  }
  const std::uint64_t declared = static_cast<std::uint64_t>(entry->max_threads[0]) *
                                 static_cast<std::uint64_t>(entry->max_threads[1]) *
                                 static_cast<std::uint64_t>(entry->max_threads[2]);
  if (declared != 0 && threads > declared) {
    return invalid(fmt::format("a block of {} threads exceeds the {} of __launch_bounds__ on '{}'",
                               threads, declared, entry->name));
  }
  const std::size_t shared = entry->static_shared_bytes + launch.dynamic_shared_bytes;
  if (shared > static_cast<std::size_t>(device.max_shared_per_block)) {
    return invalid(fmt::format(
        "{} bytes of shared memory ({} static and {} dynamic) exceed the {} that {} allows", shared,
        entry->static_shared_bytes, launch.dynamic_shared_bytes, device.max_shared_per_block,
        device.arch));
  }
  if (launch.parameters.size() != entry->parameter_bytes) {
    return invalid(fmt::format("'{}' takes {} bytes of parameters, got {}", entry->name,
                               entry->parameter_bytes, launch.parameters.size()));
  }
  if (count(launch.cluster) != 1 || entry->required_cluster[0] > 1 ||
      entry->required_cluster[1] > 1 || entry->required_cluster[2] > 1) {
    return invalid(
        fmt::format("'{}' needs thread block clusters, which the emulator lacks", entry->name));
  }
  return std::nullopt;
}

// Gives .global and .const variables their memory at the module's first launch in this memory.
void place_variables(const Module& module, GlobalMemory::Impl& memory, LaunchContext& context) {
  const Program& program = module.impl().program;
  const std::lock_guard lock(memory.images_mutex);
  GlobalMemory::Impl::ModuleImage& image = memory.images[&module];
  const bool fresh = image.alive.expired();
  if (fresh) {
    image.alive = module.impl().alive;
    image.addresses.assign(program.variables.size(), 0);
  }
  std::size_t static_end = context.entry->static_shared_bytes;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (variable.space == Space::kShared) {
      const std::size_t alignment = std::max<std::size_t>(variable.alignment, 1);
      if (variable.external)
        context.symbols[variable.name] = (static_end + alignment - 1) / alignment * alignment;
      continue;
    }
    if (fresh) {
      const Allocation& allocation = memory.allocate(variable.size, variable.name);
      image.addresses[i] = allocation.address;
      if (!variable.initial.empty())
        std::memcpy(allocation.host, variable.initial.data(), variable.initial.size());
    }
    context.symbols[variable.name] = image.addresses[i];
  }
  if (!fresh) return;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    for (const Relocation& relocation : program.variables[i].relocations) {
      const auto found = context.symbols.find(relocation.symbol);
      if (found == context.symbols.end()) continue;
      const std::uint64_t value = found->second + static_cast<std::uint64_t>(relocation.addend);
      const Allocation* allocation = memory.find(image.addresses[i], program.variables[i].size);
      std::memcpy(allocation->host + relocation.offset, &value, 8);
    }
  }
}

// Which blocks run: all, or some at even distances, whose counts then stand for all.
class BlockChoice {
 public:
  BlockChoice(std::uint64_t blocks, std::uint64_t sample)
      : blocks_(blocks), chosen_(sample == 0 ? blocks : std::min(sample, blocks)) {}

  [[nodiscard]] std::uint64_t count() const { return chosen_; }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const {
    const auto wide = static_cast<unsigned __int128>(i) * blocks_;
    return static_cast<std::uint64_t>(wide / chosen_);
  }
  // Blocks that share data touch it anew as seldom here as in the whole: what is allocated bounds
  // it.
  void scale(Counters& counters, std::uint64_t allocated_bytes) const {
    if (chosen_ == blocks_) return;
    const double factor = static_cast<double>(blocks_) / static_cast<double>(chosen_);
    for (const CounterField& field : kCounterFields) {
      std::uint64_t& value = counters.*field.member;
      value = static_cast<std::uint64_t>(static_cast<double>(value) * factor + 0.5);
    }
    counters.global_distinct_bytes = std::min(counters.global_distinct_bytes, allocated_bytes);
    counters.blocks = blocks_;
  }

 private:
  std::uint64_t blocks_;
  std::uint64_t chosen_;
};

// The state that the host threads of one launch share.
class Launcher {
 public:
  Launcher(const LaunchContext& context, const LaunchOptions& options, const BlockChoice& blocks,
           std::size_t resident)
      : context_(context),
        options_(options),
        blocks_(blocks),
        resident_(resident),
        deadline_(std::chrono::steady_clock::now() + options.time_limit) {}

  void work() {
    std::unique_ptr<LineProfile> profile;
    if (options_.count_lines) profile = std::make_unique<LineProfile>(*context_.program);
    run_blocks(profile.get());
    if (profile == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (profile_ == nullptr) {
      profile_ = std::move(profile);
    } else {
      profile_->add(*profile);
    }
  }

  void run_blocks(LineProfile* profile) {
    std::deque<std::unique_ptr<Block>> running;
    std::vector<std::unique_ptr<Block>> idle;
    std::uint64_t slices = 0;
    std::uint64_t patience = kSlicesBeforeSharing;
    for (;;) {
      const bool join = running.empty() || (slices >= patience && running.size() < resident_);
      if (join) {
        if (auto block = next_block(idle, profile)) {
          if (!running.empty()) patience = kSlicesOnceSharing;
          running.push_front(std::move(block));
          slices = 0;
        } else if (running.empty()) {
          return;
        }
      }
      std::unique_ptr<Block> block = std::move(running.front());
      running.pop_front();
      ++slices;
      if (block->linear_index() >
          first_fault_.load()) {  // a lower block has failed: this one no longer counts
        idle.push_back(std::move(block));
        continue;
      }
      if (step(*block)) {
        running.push_back(std::move(block));
      } else {
        idle.push_back(std::move(block));
      }
    }
  }

  LaunchReport report(std::uint64_t allocated_bytes) {
    LaunchReport report;
    report.fault = std::move(fault_);
    report.counters = report.fault ? fault_counters_ : counters_;
    // Which block touches a sector first depends on the host's threads; only the sum over all
    // blocks does not.
    if (report.fault) report.counters.global_distinct_bytes = 0;
    if (profile_ != nullptr && !report.fault) report.lines = profile_->by_line();
    if (!report.fault) {
      blocks_.scale(report.counters, allocated_bytes);
      for (LineCounts& line : report.lines) {
        blocks_.scale(line.counters, allocated_bytes);
        line.counters.blocks = 0;
      }
    }
    for (auto& [index, text] : outputs_) {
      if (index <= first_fault_.load()) report.printf_output += text;
    }
    return report;
  }

 private:
  std::unique_ptr<Block> next_block(std::vector<std::unique_ptr<Block>>& idle,
                                    LineProfile* profile) {
    const std::uint64_t turn = next_.fetch_add(1);
    if (turn >= blocks_.count()) return nullptr;
    const std::uint64_t index = blocks_.at(turn);
    if (index > first_fault_.load()) return nullptr;
    std::unique_ptr<Block> block;
    if (idle.empty()) {
      block = std::make_unique<Block>(context_, profile);
    } else {
      block = std::move(idle.back());
      idle.pop_back();
    }
    block->start(index);
    return block;
  }

  // Runs a slice; true when the block has more to do.
  bool step(Block& block) {
    const std::uint64_t before = block.instructions();
    try {
      std::uint64_t slice = kBlockSlice;
      if (options_.instruction_limit != 0) {
        const std::uint64_t done = std::min(instructions_.load(), options_.instruction_limit);
        slice = std::min(slice, options_.instruction_limit - done + 1);
      }
      const Block::Status status = block.run(slice);
      const std::uint64_t total =
          instructions_.fetch_add(block.instructions() - before) + block.instructions() - before;
      if (status == Block::Status::kDone) {
        finish(block);
        return false;
      }
      check_limits(block, total);
      return true;
    } catch (LaunchFault& fault) {
      fail(block, std::move(fault));
      return false;
    }
  }

  void check_limits(const Block& block, std::uint64_t total) const {
    if (options_.instruction_limit != 0 && total > options_.instruction_limit) {
      throw block.fault_at_first_warp(
          FaultKind::kInstructionLimit,
          fmt::format("more than {} warp instructions; the first unfinished warp was at {{place}}; "
                      "look for a loop "
                      "that does not end, or raise the limit",
                      options_.instruction_limit));
    }
    if (options_.time_limit.count() != 0 && std::chrono::steady_clock::now() > deadline_) {
      throw block.fault_at_first_warp(
          FaultKind::kTimeLimit,
          fmt::format("more than {} ms; the first unfinished warp was at {{place}}; look for a "
                      "loop that does not end, or raise the limit",
                      options_.time_limit.count()));
    }
    if (options_.cancel != nullptr && options_.cancel->load()) {
      throw block.fault_at_first_warp(FaultKind::kCancelled,
                                      "cancelled; the first unfinished warp was at {place}");
    }
  }

  void finish(Block& block) {
    const Counters counters = block.counters();
    const std::lock_guard lock(mutex_);
    counters_ += counters;
    if (!block.output().empty()) outputs_[block.linear_index()] = std::move(block.output());
    // Long launches of short blocks are stopped here: their blocks never outlive a slice.
    try {
      check_limits(block, instructions_.load());
    } catch (LaunchFault& fault) {
      record(block, std::move(fault));
    }
  }

  void fail(Block& block, LaunchFault fault) {
    const std::lock_guard lock(mutex_);
    record(block, std::move(fault));
  }

  void record(Block& block, LaunchFault fault) {
    if (block.linear_index() >= first_fault_.load()) return;
    first_fault_ = block.linear_index();
    fault_ = std::move(fault);
    fault_counters_ = block.counters();
    outputs_[block.linear_index()] += block.output();
  }

  const LaunchContext& context_;
  const LaunchOptions& options_;
  BlockChoice blocks_;
  std::size_t resident_;
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> instructions_{0};
  std::atomic<std::uint64_t> first_fault_{~std::uint64_t{0}};
  std::mutex mutex_;
  Counters counters_;
  Counters fault_counters_;
  std::optional<LaunchFault> fault_;
  std::map<std::uint64_t, std::string> outputs_;
  std::unique_ptr<LineProfile> profile_;  // of the threads that have ended
};

}  // namespace

LaunchReport run(GlobalMemory& memory, const DeviceModel& device, const Launch& launch,
                 const LaunchOptions& options) {
  const Module::Entry* entry = launch.module->find(launch.entry);
  if (auto fault = check_launch(device, launch, entry)) {
    LaunchReport report;
    report.fault = std::move(fault);
    return report;
  }
  const Module::Impl& module = launch.module->impl();
  LaunchContext context;
  context.program = &module.program;
  context.entry = &module.program.functions[module.entry_functions[static_cast<std::size_t>(
      entry - launch.module->entries().data())]];
  context.launch = &launch;
  context.device = &device;
  context.memory = &memory.impl();
  context.seed = options.seed;
  context.threads_per_block = static_cast<std::uint32_t>(count(launch.block));
  context.parameters = launch.parameters;
  place_variables(*launch.module, memory.impl(), context);
  memory.impl().forget_touched();
  context.shared_bytes = entry->static_shared_bytes;
  for (const Variable& variable : module.program.variables) {
    if (variable.space == Space::kShared && variable.external) {
      context.shared_bytes =
          std::max<std::size_t>(context.shared_bytes, context.symbols.at(variable.name));
    }
  }
  context.shared_bytes += launch.dynamic_shared_bytes;

  const BlockChoice blocks(count(launch.grid), options.sample_blocks);
  const auto per_sm =
      static_cast<std::size_t>(device.max_threads_per_sm) / context.threads_per_block;
  const std::size_t resident = std::max<std::size_t>(
      1, static_cast<std::size_t>(device.sm_count) *
             std::min<std::size_t>(std::max<std::size_t>(per_sm, 1),
                                   static_cast<std::size_t>(device.max_blocks_per_sm)));
  const unsigned wanted = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                              : std::max(1u, std::thread::hardware_concurrency());
  const auto threads = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, blocks.count()));
  Launcher launcher(context, options, blocks, std::max<std::size_t>(1, resident / threads));
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([&launcher] { launcher.work(); });
  launcher.work();
  helpers.clear();
  return launcher.report(memory.bytes_in_use());
}

}  // namespace warpwright::emu
