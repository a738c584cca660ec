#include "emu/observe/instruction_kinds.h"

#include <string_view>

namespace warpwright::emu {
namespace {

using Event = InstructionKind::Event;

// The first row whose prefix an opcode has decides, so longer prefixes come first. None of these
// instructions is arithmetic, but the decoder may put arithmetic on their operands before them.
struct PrefixKind {
  std::string_view prefix;
  InstructionKind kind;
};
constexpr PrefixKind kPrefixKinds[] = {
    {"mbarrier.try_wait", {Activity::kMbarrier, false, false, true, Event::kMbarrierWait}},
    {"mbarrier.test_wait", {Activity::kMbarrier, false, false, true, Event::kMbarrierWait}},
    {"mbarrier.inval", {Activity::kMbarrier, false, false, true, Event::kMbarrierEnd}},
    {"mbarrier.pending_count", {Activity::kInteger}},
    {"mbarrier.", {Activity::kMbarrier}},
    {"cp.async.mbarrier.", {Activity::kMbarrier, false, false, true, Event::kCopiesArrive}},
    {"cp.async.commit_group", {Activity::kGroup, false, false, true, Event::kCloseCopies}},
    {"cp.async.wait_all", {Activity::kGroup, false, false, true, Event::kCloseCopies}},
    {"cp.async.wait_group", {Activity::kGroup}},
    {"cp.async.bulk.commit_group", {Activity::kGroup}},
    {"cp.async.bulk.wait_group", {Activity::kGroup}},
    {"cp.async.bulk.prefetch", {Activity::kOther}},
    {"cp.async.bulk.", {Activity::kBulkLoad}},
    {"cp.reduce.async.bulk.", {Activity::kBulkLoad}},
    {"cp.async.", {Activity::kCpAsync}},
    {"st.async", {Activity::kAsyncStore}},
    {"red.async", {Activity::kAsyncStore}},
    {"wgmma.mma_async", {Activity::kTensor}},
    {"wgmma.", {Activity::kGroup}},
    {"wmma.load", {Activity::kOther, true, true}},
    {"wmma.store", {Activity::kOther, true, true}},
    {"wmma.", {Activity::kTensor}},
    {"mma.", {Activity::kTensor}},
    {"ldmatrix", {Activity::kOther, true, true}},
    {"stmatrix", {Activity::kOther, true, true}},
    {"movmatrix", {Activity::kExchange}},
    {"ld.param", {Activity::kOther}},
    {"ld.const", {Activity::kOther}},
    {"st.param", {Activity::kOther}},
    {"ld", {Activity::kOther, true}},
    {"st.", {Activity::kOther, true}},
    {"atom.", {Activity::kOther, true}},
    {"red.", {Activity::kOther, true}},
    {"tex.", {Activity::kOther, true}},
    {"bar.warp", {Activity::kExchange}},
    {"barrier.cluster.wait", {Activity::kBarrier, false, false, true, Event::kClusterWait}},
    {"bar.", {Activity::kBarrier}},
    {"barrier.", {Activity::kBarrier}},
    {"shfl.", {Activity::kExchange}},
    {"vote.", {Activity::kExchange}},
    {"match.", {Activity::kExchange}},
    {"redux.", {Activity::kExchange}},
    {"elect.", {Activity::kExchange}},
    {"activemask", {Activity::kExchange}},
    {"fence.", {Activity::kFence}},
    {"membar.", {Activity::kFence}},
};

Activity activity_of_class(InstClass klass) {
  switch (klass) {
    case InstClass::kTensor:
      return Activity::kTensor;
    case InstClass::kInteger:
      return Activity::kInteger;
    case InstClass::kSpecial:
      return Activity::kSpecial;
    case InstClass::kConvert:
      return Activity::kConvert;
    case InstClass::kLoadStore:
    case InstClass::kControl:
    case InstClass::kOther:
    case InstClass::kCount:
      return Activity::kOther;
    default:
      return Activity::kFloat;
  }
}

InstructionKind kind_of(std::string_view opcode, InstClass klass) {
  for (const PrefixKind& known : kPrefixKinds) {
    if (!opcode.starts_with(known.prefix)) continue;
    InstructionKind kind = known.kind;
    if (klass == InstClass::kConvert ||
        (klass == InstClass::kInteger && kind.activity != Activity::kInteger)) {
      kind = {};
      kind.counts = false;
    }
    if (kind.activity == Activity::kBulkLoad && opcode.find(".global.shared") != opcode.npos)
      kind.activity = Activity::kBulkStore;
    return kind;
  }
  return {activity_of_class(klass)};
}

}  // namespace

std::vector<InstructionKind> instruction_kinds(const Program& program) {
  std::vector<InstructionKind> kinds;
  kinds.reserve(program.code.size());
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    kinds.push_back(kind_of(program.opcodes[pc], program.code[pc].klass));
  return kinds;
}

}  // namespace warpwright::emu
