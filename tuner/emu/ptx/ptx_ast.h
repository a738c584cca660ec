// The output of the PTX parser and input of the decoder: one flat list of statements per function,
// with registers and variables already resolved through their `{ }` scopes. Opcodes are not
// interpreted here. Invariant: every Operand of kind kRegister or kVariable indexes the tables of
// the function that contains it or, for variables marked as module ones, those of the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::emu {

enum class Space : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kConst, kParam, kRegister };

// A place in the kernel's source, from .loc; `file` indexes ParsedModule::files.
struct SourceLine {
  int file = 0;
  int line = 0;
  int caller = -1;  // where the function of this line was inlined: ParsedModule::callers; -1 none
  int column = 0;   // 0: unknown
};

struct RegisterDeclaration {
  std::string name;
  int bits = 32;  // 1 for predicates
};

// The address of a symbol in an initialiser, which is known only at launch.
struct Relocation {
  std::size_t offset = 0;  // within the variable
  std::string symbol;
  std::int64_t addend = 0;
  // The index of the module's variable of that name outside of shared memory; -1 if there is none.
  // Set when the module is decoded.
  std::int64_t variable = -1;
};

struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  std::size_t size = 0;
  std::size_t alignment = 1;
  bool external = false;           // `.extern .shared x[]`: starts after the static shared memory
  std::vector<std::byte> initial;  // empty when there is no initialiser
  std::vector<Relocation> relocations;
};

struct Operand {
  enum class Kind : std::uint8_t {
    kRegister,   // index
    kVariable,   // index into the function's variables, or the module's when module_scope
    kImmediate,  // bits; is_float if they hold a double
    kName,       // special register, label or function: text
    kAddress,    // list[0] + offset, and further operands of the bracket
    kVector,     // list
    kList,       // ( ... ) of a call
    kPair,       // a|b
    kSink,       // _
  };
  Kind kind = Kind::kSink;
  bool negated = false;  // !%p, and -%r of vmad
  bool module_scope = false;
  bool is_float = false;   // bits hold a double
  bool is_single = false;  // bits hold a float, written 0f........
  std::uint32_t index = 0;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::uint32_t scope = 0;  // the scope in which the lookup of a label name starts
  std::string_view text;
  std::string_view selector;  // "b0", "h10": the parts of a register that a video instruction uses
  std::vector<Operand> list;
};

struct Statement {
  // kBranchTargets: of brx or, as names of functions, of a call
  enum class Kind : std::uint8_t { kInstruction, kLabel, kBranchTargets, kCallPrototype };
  Kind kind = Kind::kInstruction;
  std::string_view opcode;  // the whole of "ld.global.v4.f32", or a label's name
  bool has_guard = false;
  bool guard_negated = false;
  bool left_out = false;    // not executed: ptx/sync_sites.h
  std::uint32_t guard = 0;  // register index
  std::uint32_t scope = 0;
  std::uint32_t prototype = 0;  // kCallPrototype: index into ParsedFunction::prototypes
  int ptx_line = 0;
  SourceLine source;
  std::vector<Operand> operands;
};

// The parameters and returns of a call through a register.
struct CallPrototype {
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
};

struct ParsedFunction {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::vector<std::uint32_t> returns;     // indices into variables
  std::vector<std::uint32_t> parameters;  // indices into variables
  int max_threads[3] = {0, 0, 0};
  int required_cluster[3] = {0, 0, 0};
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> variables;
  std::vector<std::uint32_t> scope_parents;  // scope 0 is the function itself
  std::vector<Statement> statements;
  std::vector<CallPrototype> prototypes;
};

struct ParsedModule {
  std::string name;
  std::string target;
  std::vector<std::string> files;  // by the number in .file; empty if unused
  // Calls at which functions were inlined; each may have its own caller before it in the list.
  std::vector<SourceLine> callers;
  std::vector<Variable> variables;
  std::vector<ParsedFunction> functions;
  std::vector<std::pair<std::string, std::string>> aliases;  // a function's other name, its own
};

}  // namespace warpwright::emu
