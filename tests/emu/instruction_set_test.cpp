// Every lane operation gives the same bits with each of the host's instruction sets.
#include <random>

#include "emu/exec/cluster.h"
#include "emu/lanes/lane_table.h"
#include "opcode_harness.h"

namespace warpwright::emu {
namespace {

// Runs one instruction over the rows of a warp without a kernel.
class LaneBench {
 public:
  LaneBench() {
    function_.rows = 24;
    function_.predicates = 6;
    program_.code.resize(1);
    program_.functions.push_back(function_);
    launch_.block = {32, 1, 1};
    context_.program = &program_;
    context_.entry = &function_;
    context_.launch = &launch_;
    context_.threads_per_block = 32;
    cluster_ = std::make_unique<Cluster>(context_);
    warp_ = std::make_unique<Warp>(cluster_->block(0), program_, 0);
    warp_->reset(function_, kAllLanes);
  }

  // Rows: result 0-1, sources 2-3, 4-5, 6-7, 8-9. Returns the result row and both predicates.
  std::vector<std::uint64_t> run(const LaneEntry& entry, std::uint32_t seed, std::uint32_t mask) {
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> result;
    Group group;
    group.mask = mask;
    Inst& inst = program_.code[0];
    inst = Inst{};
    inst.run = entry.run;
    inst.flags = entry.flags;
    inst.dst = entry.dst == Shape::kPredicate ? 1 : 0;
    inst.dst2 = entry.second_dst ? 2 : kNoRegister;
    for (std::uint32_t i = 0; i < 4; ++i)
      inst.src[i] = entry.source[i] == Shape::kPredicate ? 3 : 2 + 2 * i;
    if (entry.sources == 1) inst.src[1] = inst.src[0];
    warp_->carry() = static_cast<std::uint32_t>(random());
    warp_->as_group(group, [&](const Inst& one) {
      for (std::uint32_t row = 0; row < 10; row += 2) {
        for (std::size_t lane = 0; lane < 32; ++lane) warp_->wide(row)[lane] = pick(random);
        const bool narrow = row > 1 && entry.source[row / 2 - 1] != Shape::kWide;
        for (std::size_t lane = 0; lane < 32 && narrow; ++lane)
          warp_->row(row)[lane] = static_cast<std::uint32_t>(pick32(random));
      }
      one.run(*warp_, one);
      result.assign(warp_->wide(0), warp_->wide(0) + 32);
      result.push_back(warp_->predicate(1));
      result.push_back(warp_->predicate(2));
      result.push_back(warp_->carry());
    });
    return result;
  }

 private:
  static std::uint64_t pick(std::mt19937_64& random) {
    const auto choice = random() % 4;
    return choice == 0   ? random()
           : choice == 1 ? double_edges()[random() % double_edges().size()]
                         : integer_edges()[random() % integer_edges().size()];
  }
  static std::uint64_t pick32(std::mt19937_64& random) {
    const auto choice = random() % 4;
    return choice == 0   ? random()
           : choice == 1 ? float_edges()[random() % float_edges().size()]
           : choice == 2 ? half_edges()[random() % half_edges().size()] |
                               half_edges()[random() % half_edges().size()] << 16
                         : integer_edges()[random() % integer_edges().size()];
  }

  Function function_;
  Program program_;
  Launch launch_;
  LaunchContext context_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Warp> warp_;
};

TEST(InstructionSets, GiveTheSameBits) {
  LaneBench bench;
  const LaneTable& base = lane_table("base");
  for (const std::string& set : available_instruction_sets()) {
    const LaneTable& table = lane_table(set);
    EXPECT_EQ(table.names().size(), base.names().size()) << set;
    for (const std::string& name : base.names()) {
      ASSERT_NE(table.find(name), nullptr) << set << " " << name;
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const std::uint32_t mask = seed % 3 == 0   ? kAllLanes
                                   : seed % 3 == 1 ? 0x0f0f5a81u
                                                   : 0x00000001u << (seed % 32);
        ASSERT_EQ(bench.run(*base.find(name), seed, mask), bench.run(*table.find(name), seed, mask))
            << set << " " << name;
      }
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
