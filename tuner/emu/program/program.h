// Decoded PTX, as executed by the emulator. A Program is immutable after decode() and shared by all
// threads.
//
// A register is a row of 32 lanes: 32 x 4 bytes for anything up to 32 bits (16-bit values sit
// zero-extended in the low half), 32 x 8 bytes for 64 bits. Rows are addressed in units of
// kRowBytes from the frame's base, so an immediate is just a row that is filled once per frame. A
// predicate is one 32-bit mask. Program counters index Program::code, in which all functions follow
// one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/emulator.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

class Warp;
struct Inst;
using Handler = void (*)(Warp&, const Inst&);

inline constexpr int kWarpSize = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffffu;
inline constexpr std::size_t kRowBytes = 128;
inline constexpr std::uint32_t kNoRegister = 0xffffffffu;

// The class that an instruction is counted in: the classes of Counters, followed by additions,
// multiplications and fused pairs, which are counted separately within their class.
enum class InstClass : std::uint8_t {
  kFp32,
  kFp64,
  kFp16,
  kInteger,
  kSpecial,
  kTensor,
  kConvert,
  kLoadStore,
  kControl,
  kOther,
  kFp32Add,
  kFp32Mul,
  kFp32Fma,
  kFp64Add,
  kFp64Mul,
  kFp64Fma,
  kFp16Add,
  kFp16Mul,
  kFp16Fma,
  kCount,
};

// Returns kFp32Fma for kFp32 and "fma"; the class itself for operations not counted separately.
[[nodiscard]] InstClass arithmetic_class(InstClass klass, std::string_view operation);

// One decoded instruction. The handler determines whether `dst`, `dst2` and `src` are rows or
// predicates.
struct Inst {
  Handler run = nullptr;
  std::uint32_t dst = kNoRegister;
  std::uint32_t dst2 = kNoRegister;
  std::uint32_t src[4] = {0, 0, 0, 0};
  std::uint32_t guard = 0;       // predicate 0 is always true
  std::uint32_t guard_flip = 0;  // all ones for @!p
  std::int64_t immediate = 0;    // depends on the handler: address offset, branch target, ...
  std::uint32_t extra = 0;       // first of this instruction's entries in Program::extra
  std::uint16_t flags = 0;
  std::uint8_t count = 0;  // entries in extra, or elements of a vector
  InstClass klass = InstClass::kOther;
};

// A constant row: filled with `bits` in every lane when a frame is made.
struct ConstantRow {
  std::uint64_t bits = 0;
  bool wide = false;
  std::uint32_t row = 0;
  std::string symbol;  // not empty: the address of a module variable is added at launch
};

// The layout of a function's parameters and returns in its parameter area. Calls through a pointer
// must have the same layout.
struct Signature {
  std::vector<std::size_t> parameters;
  std::vector<std::size_t> returns;
  std::vector<std::size_t> parameter_sizes;
  std::vector<std::size_t> return_sizes;

  [[nodiscard]] bool operator==(const Signature&) const = default;
};

struct Function {
  std::string name;
  bool is_entry = false;
  Signature signature;
  std::uint32_t first_pc = 0;
  std::uint32_t end_pc = 0;      // first_pc if the module only declares the function
  std::uint32_t rows = 0;        // constant rows come first
  std::uint32_t predicates = 1;  // index 0 is constant true
  std::vector<ConstantRow> constants;
  std::size_t local_bytes = 0;  // per lane, without callees
  std::size_t param_bytes =
      0;  // per lane: own parameters, own returns, and those of calls it makes
  std::size_t static_shared_bytes = 0;
  std::vector<std::uint32_t> undefined_at_entry;  // registers that some path reads before it writes
};

// An operand of an instruction, for checkers: registers have module-wide numbers.
struct OperandUse {
  std::uint32_t reg = 0;
  std::uint8_t bits = 32;  // 1 for predicates
  bool defines = false;    // definitions come after reads
  bool guard = false;
};

// The bytes that a call copies between the caller's and the callee's parameter areas. A call
// through a register has the same layout for every function that it may call.
struct CallSite {
  struct Copy {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t bytes = 0;
  };
  std::uint32_t function = 0;  // index into Program::functions; unless through a register
  std::vector<Copy> arguments;
  std::vector<Copy> returns;
  Signature signature;                 // through a register: what the callee must have
  std::vector<std::uint32_t> targets;  // and the functions that it may be; empty: any
};

// A variable in shared memory, for the checkers and for names.
struct SharedObject {
  std::string symbol;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool dynamic = false;  // its start depends on the launch; it ends with the block's shared memory
  int entry = -1;        // the index of the only kernel that has it; -1: others may use it as well
};

struct Program {
  std::vector<Inst> code;
  std::vector<SourceLine> lines;     // by pc
  std::vector<std::string> opcodes;  // by pc, as written, for messages
  std::vector<std::uint32_t> extra;
  std::vector<Function> functions;
  std::vector<CallSite> calls;
  std::vector<Variable> variables;  // .global and .const
  std::vector<std::string> files;
  std::vector<SourceLine> callers;  // like ParsedModule::callers
  std::string target;
  std::vector<OperandUse> uses;          // in order of pc
  std::vector<std::uint32_t> first_use;  // by pc, and one more
  std::vector<SharedObject> shared_objects;
  // Sets of objects. The shared address that an instruction accesses is derived from one object of
  // its set; the first set is empty and means that the object is unknown.
  std::vector<std::vector<std::uint32_t>> object_sets;
  std::vector<std::uint32_t> accessed_set;  // by pc, into object_sets

  [[nodiscard]] std::span<const OperandUse> uses_of(std::uint32_t pc) const {
    return {uses.data() + first_use[pc], uses.data() + first_use[pc + 1]};
  }
};

// The chain of inlined calls that leads to a source line. Innermost first; empty for a line of the
// kernel itself.
[[nodiscard]] inline std::vector<QuotedLocation> callers_of(const Program& program,
                                                            const SourceLine& line) {
  std::vector<QuotedLocation> calls;
  for (int at = line.caller; at >= 0; at = program.callers[static_cast<std::size_t>(at)].caller) {
    const SourceLine& place = program.callers[static_cast<std::size_t>(at)];
    if (static_cast<std::size_t>(place.file) < program.files.size())
      calls.push_back({{program.files[static_cast<std::size_t>(place.file)], place.line}});
  }
  return calls;
}

}  // namespace warpwright::emu
