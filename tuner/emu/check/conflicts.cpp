#include "emu/check/conflicts.h"

#include <fmt/format.h>

#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "emu/check/findings.h"
#include "emu/exec/block.h"
#include "emu/program/program.h"

namespace warpwright::emu {
namespace {

// The maximum number of instructions between the load and the store of one line.
constexpr std::uint32_t kLongestUpdate = 64;

std::size_t count_of(std::uint8_t bytes) { return static_cast<std::size_t>(std::popcount(bytes)); }

Finding unfenced_operation(const AccessRecord& now, const AccessRecord& then,
                           const std::string& where) {
  Finding finding;
  finding.kind = FindingKind::kMissingProxyFence;
  finding.message = fmt::format(
      "an asynchronous operation {} {}, {} that no fence.proxy.async has {}",
      now.write ? "overwrites" : "reads", where,
      then.write ? "written by an ordinary store" : "read by an ordinary load",
      then.write ? "made visible to it" : "ordered before it: the load may still be under way");
  finding.advice = fmt::format(
      "after the {} let every thread that made them execute fence.proxy.async, then the barrier, "
      "then issue the operation",
      then.write ? "stores" : "loads");
  return finding;
}

Finding unawaited_operation(const AccessRecord& now, const AccessRecord& then, std::size_t bytes,
                            const std::string& where) {
  Finding finding;
  finding.kind = FindingKind::kMissingWait;
  const char* operation =
      now.async ? "another asynchronous operation" : "an asynchronous operation";
  finding.message = fmt::format("{} {} {}, which {} {} and no thread has waited for",
                                verb(now, bytes), now.write ? "to" : "from", where, operation,
                                then.write ? "writes" : "still reads");
  finding.advice =
      then.write ? "wait for the copy first (cp.async.wait_group, or the mbarrier's phase), and "
                   "let the threads that did not wait themselves pass a barrier after it"
                 : "wait first until the operation has read its source "
                   "(cp.async.bulk.wait_group.read, wgmma.wait_group)";
  return finding;
}

std::string advice_to_order(const AccessRecord& now, const AccessRecord& then, bool is_shared) {
  if (now.async)
    return "let the threads that use the buffer arrive at a barrier, and wait for it before the "
           "next copy into it is issued";
  if (now.block != then.block) {
    if (!is_shared && now.strong && then.strong)
      return "give accesses that other blocks' meet the scope of the device: no .cta, no _block in "
             "the name, thread_scope_device";
    return is_shared ? "put a barrier of the cluster between them"
                     : "let one block own the element, use an atomic, or hand it over: write, "
                       "__threadfence(), atomic flag; see the flag, __threadfence(), read";
  }
  if (now.actor == then.actor) return "put __syncwarp() between them";
  return is_shared ? "put a __syncthreads() that all of them pass between them"
                   : "put a __syncthreads() between them, or let one thread own the element";
}

Finding unordered_accesses(const AccessRecord& now, const AccessRecord& then, std::size_t bytes,
                           bool is_shared, const std::string& where) {
  const bool in_block = now.block == then.block;
  Finding finding;
  finding.kind = is_shared ? FindingKind::kSharedRace : FindingKind::kGlobalRace;
  finding.message = fmt::format("{} {} {} and {} by {} are not ordered", verb(now, bytes),
                                now.write ? "to" : "from", where, verb(then, count_of(then.bytes)),
                                !in_block                               ? "another block"
                                : then.async                            ? "a copy"
                                : now.actor == then.actor && !now.async ? "another lane of the warp"
                                                                        : "another warp");
  finding.advice = advice_to_order(now, then, is_shared);
  return finding;
}

}  // namespace

// Whether both accesses belong to one update, such as x[i] += v: a line that loads and stores.
bool Conflicts::updates(const AccessRecord& now, const AccessRecord& then, bool is_shared) const {
  const Program& program = *context_->program;
  const auto same_line = [&](std::uint32_t pc) {
    const SourceLine a = program.lines[pc], b = program.lines[now.pc];
    return a.line != 0 && a.line == b.line && a.file == b.file;
  };
  if (!same_line(then.pc)) return false;
  if (!now.write || !then.write) return true;
  // Both accesses store; the load of the line comes before them.
  const std::string_view load = is_shared ? "ld.shared" : "ld.global";
  for (std::uint32_t pc = now.pc; pc > 0 && now.pc - pc < kLongestUpdate; --pc)
    if (same_line(pc - 1) && program.opcodes[pc - 1].starts_with(load)) return true;
  return false;
}

void Conflicts::conflict(const AccessRecord& now, const AccessRecord& then,
                         const AccessRange& range, bool proxy) {
  const auto [address, bytes, target, word] = range;
  const bool is_shared = target != nullptr;
  Finding finding;
  const std::string where = where_of(is_shared, address, *context_);
  if (proxy) {
    finding = unfenced_operation(now, then, where);
  } else if (then.async && (!now.async || (then.write && !now.write))) {
    finding = unawaited_operation(now, then, bytes, where);
  } else {
    finding = unordered_accesses(now, then, bytes, is_shared, where);
    // x[i] += v, or one instruction by which several lanes, warps or blocks store to one address.
    if (!now.async && !now.atomic && !then.atomic && updates(now, then, is_shared))
      finding.advice = fmt::format(
          "where several threads add to one element, use an atomic such as atomicAdd; otherwise {}",
          finding.advice);
  }
  finding.here = findings_->side(now, bytes);
  finding.other = findings_->side(then, count_of(then.bytes));
  const bool stores = now.write && then.write && !now.atomic && !then.atomic;
  if (!stores || now.async || then.async)
    return findings_->add(std::move(finding), now.pc, then.pc);
  UndecidedStore store{std::move(finding), now.pc, then.pc};
  store.word = word_at(range);
  store.bytes = now.bytes & then.bytes;
  for (std::size_t i = 0; i < store.before.size(); ++i) {
    if ((store.bytes >> i & 1) != 0) store.before[i] = store.word[i];
  }
  undecided_.push_back(std::move(store));
}

void Conflicts::unordered_message(const AccessRecord& now, const AccessRecord& then,
                                  const AccessRange& range) {
  const bool is_shared = range.target != nullptr;
  Finding finding;
  finding.kind = FindingKind::kMissingFence;
  finding.message = fmt::format(
      "{} from {} behind a flag that is set after the {} by another thread, but no fence makes it "
      "so: the flag may be seen before what it stands for",
      verb(now, range.bytes), where_of(is_shared, range.address, *context_),
      verb(then, count_of(then.bytes)));
  finding.advice =
      "put __threadfence() (in one block __threadfence_block()) before the flag is set and after "
      "it is seen, or set it by a release and read it by an acquire: volatile and relaxed accesses "
      "order nothing";
  finding.here = findings_->side(now, range.bytes);
  finding.other = findings_->side(then, count_of(then.bytes));
  findings_->add(std::move(finding), now.pc, then.pc);
}

void Conflicts::unfenced_map(const AccessRecord& now, const AccessRecord& then,
                             std::uint64_t address) {
  Finding finding;
  finding.kind = FindingKind::kMissingProxyFence;
  finding.message = fmt::format(
      "a tensor copy uses the tensor map at {}, which the launch has written, with no "
      "fence.proxy.tensormap in between",
      where_of(false, address, *context_));
  finding.advice =
      "behind the write let a thread execute fence.proxy.tensormap::generic.acquire.gpu on the "
      "map's 128 bytes before the copy (after a .release by the writer, where that is another)";
  finding.here = findings_->side(now, 0);
  finding.here->what = "tensor copy";
  finding.other = findings_->side(then, count_of(then.bytes));
  findings_->add(std::move(finding), now.pc, then.pc);
}

void Conflicts::stale_read(const AccessRecord& now, const AccessRecord& then,
                           const AccessRange& range) {
  Finding finding;
  finding.kind = FindingKind::kStaleRead;
  finding.message = fmt::format(
      "`{}` reads {}, which the same launch has written; it is only for data that no thread writes "
      "while the kernel runs, and may return the old value",
      context_->program->opcodes[now.pc], where_of(false, range.address, *context_));
  finding.advice =
      "read it by an ordinary load: no __ldg(), and no `const __restrict__` on a pointer to what "
      "the kernel writes";
  finding.here = findings_->side(now, range.bytes);
  finding.other = findings_->side(then, count_of(then.bytes));
  findings_->add(std::move(finding), now.pc, then.pc);
}

// The first byte of a word, some bytes of which have just been found to be accessible.
const std::byte* Conflicts::word_at(const AccessRange& range) const {
  if (range.target != nullptr) return range.target->shared() + range.word;
  const Allocation* allocation = context_->memory->find(range.address, 1);
  return allocation->host + (range.word - allocation->address);
}

// --- stores that race

bool Conflicts::UndecidedStore::changed() const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if ((bytes >> i & 1) != 0 && word[i] != before[i]) return true;
  }
  return false;
}

// Two lines race with different values if any word or lane does.
void Conflicts::decide_stores() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> changed;
  for (const UndecidedStore& store : undecided_)
    if (store.changed()) changed.insert({store.pc, store.other_pc});
  for (UndecidedStore& store : undecided_) {
    Finding& finding = store.finding;
    if (!changed.contains({store.pc, store.other_pc})) {
      finding.kind = finding.kind == FindingKind::kSharedRace ? FindingKind::kSharedSameValue
                                                              : FindingKind::kGlobalSameValue;
      finding.message += "; both store the same value";
      finding.advice = "let one thread store it, or give each thread a place of its own";
    }
    findings_->add(std::move(finding), store.pc, store.other_pc);
  }
  undecided_.clear();
}

}  // namespace warpwright::emu
