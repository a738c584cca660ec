#include "emu/decode/shared_objects.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace warpwright::emu {
namespace {

// The possible origins of a value: a bit for each of the first variables, and these two bits.
using Origin = std::uint64_t;
constexpr Origin kNumber = Origin{1} << 62;   // not an address of a known variable
constexpr Origin kUnknown = Origin{1} << 63;  // from several variables, or in an unknown way
constexpr Origin kVariables = kNumber - 1;
constexpr std::size_t kMaxVariables = 62;

bool is_address(Origin origin) { return (origin & kVariables) != 0; }

// The origin of a sum: an address plus a number is an address. 0 while one side is not known yet.
Origin sum(Origin a, Origin b) {
  if (a == 0 || b == 0) return 0;
  if (((a | b) & kUnknown) != 0 || (is_address(a) && is_address(b))) return kUnknown;
  return is_address(a) ? a : b;
}

// The origin of the result of any other operation on a value.
Origin mixed(Origin a) { return a == 0 ? 0 : a == kNumber ? kNumber : kUnknown; }

class Origins {
 public:
  Origins(const ParsedModule& module, const ParsedFunction& function)
      : module_(module), function_(function), of_(function.registers.size(), 0) {
    const auto count = static_cast<std::uint32_t>(function.statements.size());
    readers_.resize(function.registers.size());
    waits_.assign(count, true);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const Operand& operand : function.statements[i].operands) note_reads(operand, i);
      waiting_.push_back(i);
    }
    // A register's origin only grows, in the worst case bit by bit, so each statement is processed
    // only a few times.
    for (std::size_t next = 0; next < waiting_.size(); ++next) {
      const std::uint32_t i = waiting_[next];
      waits_[i] = false;
      const Statement& statement = function.statements[i];
      if (statement.kind == Statement::Kind::kInstruction) execute(statement);
    }
  }

  [[nodiscard]] std::vector<SharedVariable> variables_of(const Operand& address) {
    const Origin origin =
        address.kind == Operand::Kind::kAddress && !address.list.empty() ? of(address.list[0]) : 0;
    std::vector<SharedVariable> found;
    if ((origin & (kNumber | kUnknown)) != 0) return found;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if ((origin >> i & 1) != 0) found.push_back(variables_[i]);
    return found;
  }

 private:
  void note_reads(const Operand& operand, std::uint32_t statement) {
    if (operand.kind == Operand::Kind::kRegister) {
      std::vector<std::uint32_t>& readers = readers_[operand.index];
      if (readers.empty() || readers.back() != statement) readers.push_back(statement);
    }
    for (const Operand& part : operand.list) note_reads(part, statement);
  }

  Origin of_variable(const Operand& operand) {
    const Variable& variable = operand.module_scope ? module_.variables[operand.index]
                                                    : function_.variables[operand.index];
    if (variable.space != Space::kShared) return kNumber;
    const SharedVariable wanted{operand.module_scope, operand.index};
    const auto known = std::find(variables_.begin(), variables_.end(), wanted);
    const auto index = static_cast<std::size_t>(known - variables_.begin());
    if (index == kMaxVariables) return kUnknown;
    if (known == variables_.end()) variables_.push_back(wanted);
    return Origin{1} << index;
  }

  Origin of(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::kRegister:
        return of_[operand.index];
      case Operand::Kind::kVariable:
        return of_variable(operand);
      case Operand::Kind::kVector:
      case Operand::Kind::kPair:
      case Operand::Kind::kList: {
        Origin all = 0;
        for (const Operand& element : operand.list) all |= of(element);
        return mixed(all);
      }
      case Operand::Kind::kAddress:
        return kNumber;  // a value from memory
      default:
        return kNumber;
    }
  }

  void define(const Operand& operand, Origin origin) {
    if (operand.kind == Operand::Kind::kRegister) {
      Origin& known = of_[operand.index];
      if ((known | origin) == known) return;
      known |= origin;
      for (const std::uint32_t reader : readers_[operand.index]) {
        if (waits_[reader]) continue;
        waits_[reader] = true;
        waiting_.push_back(reader);
      }
    } else if (operand.kind == Operand::Kind::kVector || operand.kind == Operand::Kind::kPair) {
      for (const Operand& element : operand.list) define(element, origin);
    }
  }

  // The origin of the statement's first operand after its execution.
  Origin result(const Statement& statement) {
    const std::vector<Operand>& operands = statement.operands;
    const auto base = statement.opcode.substr(0, statement.opcode.find('.'));
    const auto is = [base](auto... names) { return ((base == names) || ...); };
    const auto source = [&](std::size_t i) {
      return i < operands.size() ? of(operands[i]) : kNumber;
    };
    if (is("mov", "cvt", "cvta", "shfl", "mapa")) return source(1);
    if (is("add", "and", "or", "xor")) return sum(source(1), source(2));
    if (is("sub")) return sum(source(1), mixed(source(2)));
    if (is("mad")) return sum(sum(mixed(source(1)), mixed(source(2))), source(3));
    if (is("selp")) return source(1) | source(2);
    if (is("ld", "ldu", "atom")) return kNumber;
    Origin all = kNumber;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Origin one = mixed(source(i));
      if (one == 0) return 0;
      all |= one;
    }
    return (all & kUnknown) != 0 ? kUnknown : kNumber;
  }

  void execute(const Statement& statement) {
    if (!statement.operands.empty()) define(statement.operands[0], result(statement));
  }

  const ParsedModule& module_;
  const ParsedFunction& function_;
  std::vector<Origin> of_;  // by register
  std::vector<SharedVariable> variables_;
  std::vector<std::vector<std::uint32_t>> readers_;  // statements, by register
  std::vector<std::uint32_t> waiting_;               // statements to process, new ones at the end
  std::vector<bool> waits_;
};

// Returns the index of the operand that may be a shared address, if there is one.
std::optional<std::size_t> accessed_operand(std::string_view opcode) {
  const auto has = [opcode](std::string_view part) { return opcode.find(part) != opcode.npos; };
  if (opcode.starts_with("ld") || opcode.starts_with("atom.") || opcode.starts_with("wmma.load"))
    return has(".param") || has(".local") || has(".const") ? std::nullopt
                                                           : std::optional<std::size_t>(1);
  if (opcode.starts_with("st") || opcode.starts_with("red.") || opcode.starts_with("wmma.store"))
    return has(".param") || has(".local") ? std::nullopt : std::optional<std::size_t>(0);
  if (!opcode.starts_with("cp.") || has("prefetch") || has("wait") || has("commit") ||
      has("mbarrier.arrive"))
    return std::nullopt;
  const std::size_t shared = opcode.find(".shared");
  const std::size_t global = opcode.find(".global");
  if (shared == opcode.npos || global == opcode.npos) return std::nullopt;  // between blocks
  return shared < global ? 0 : 1;
}

}  // namespace

std::vector<std::vector<SharedVariable>> find_accessed_variables(const ParsedModule& module,
                                                                 const ParsedFunction& function) {
  std::vector<std::vector<SharedVariable>> found(function.statements.size());
  const auto is_shared = [](const Variable& variable) { return variable.space == Space::kShared; };
  if (std::none_of(module.variables.begin(), module.variables.end(), is_shared) &&
      std::none_of(function.variables.begin(), function.variables.end(), is_shared))
    return found;
  Origins origins(module, function);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Statement& statement = function.statements[i];
    if (statement.kind != Statement::Kind::kInstruction) continue;
    const auto operand = accessed_operand(statement.opcode);
    if (operand && *operand < statement.operands.size())
      found[i] = origins.variables_of(statement.operands[*operand]);
  }
  return found;
}

}  // namespace warpwright::emu
