// A prior from the real emulator: kernels that work, hang and trap, in the program's own workers.
#include <gmock/gmock.h>

#include "core/files.h"
#include "support/program.h"
#include "sweep/model_prior.h"
#include "workers/worker_recipe.h"

namespace warpwright::testing {
namespace {

using ::testing::SizeIs;

TEST(ModelPriorProcess, TellsWhatRunsAndNothingOfWhatDoesNot) {
  const TemporaryFolder folder;
  setenv("WARPWRIGHT_CACHE", (folder.path() / "cache").c_str(), 1);
  write_square_kernel(folder.path());
  const auto source = folder.path() / "kernels" / "square" / "plain.cu";
  std::string text = read_file(source);
  text.insert(text.find("  const int base"),
              "  if (THREADS == 64) for (volatile int i = 0;; ++i) {}\n"
              "  if (THREADS == 256) __trap();\n");
  write_text(source, text);
  SweepOptions options;
  options.config = folder.path() / "square.yaml";
  options.strategy = "auto";
  options.prior = Prior::kEmulator;
  options.emulator_slots = 2;
  options.overrides = {"PER_THREAD=1"};
  Paths paths = find_paths({folder.path() / "kernels"});
  paths.program = warpwright_program();
  DeviceInfo device;
  device.id = device.name = "fake:0";
  device.arch = "sm_90a";
  device.has_clock = true;
  const SweepPlan plan = make_plan(options, paths, {device});

  EventQueue events;
  WorkerOptions workers;
  workers.compile_workers = 2;
  CompilePool compilers(WorkerRecipe(paths, plan.devices, workers).compilers(),
                        [&](std::uint64_t ticket, CompileResult result) {
                          events.post(CompiledEvent{ticket, std::move(result)});
                        });
  std::map<std::string, double> believed;
  {
    ModelPrior prior(options, paths, plan, compilers, events,
                     [&](std::size_t board, std::uint64_t index, double us) {
                       believed[plan.boards[board].space->at(index).to_string()] = us;
                     });
    EXPECT_EQ(prior.trouble(), "");
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!prior.is_known(0) && std::chrono::steady_clock::now() < patience) {
      events.handle(std::chrono::milliseconds(50), [&](SweepEvent event) {
        if (auto* compiled = std::get_if<CompiledEvent>(&event)) {
          EXPECT_TRUE(prior.compiled(compiled->ticket, compiled->result));
        } else if (auto* modelled = std::get_if<ModelledEvent>(&event)) {
          prior.modelled(std::move(*modelled));
        }
      });
    }
    EXPECT_EQ(prior.summary().candidates, 4U);
    EXPECT_EQ(prior.summary().modelled, 2U);
    EXPECT_EQ(prior.summary().failed, 2U);
    EXPECT_EQ(prior.named(0), (KnowledgeSource{"emulator", "emu:sm_90a", "n=100000", 2}));
  }
  EXPECT_THAT(believed, SizeIs(2));
  for (const auto& [configuration, us] : believed) EXPECT_GT(us, 0) << configuration;
  events.close();
  unsetenv("WARPWRIGHT_CACHE");
}

}  // namespace
}  // namespace warpwright::testing
