#include "emu/ptx/ptx_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/cpp_scan.h"
#include "emu/ptx/ptx_cursor.h"
#include "emu/ptx/ptx_variable.h"
#include "emu/ptx/source_places.h"

namespace warpwright::emu {
namespace {

// Far above what compilers write; low enough that a typo in inline assembly costs little.
constexpr std::uint64_t kMaxRegisters = 1'000'000;  // of one function
constexpr std::size_t kMaxFileNumber = 1'000'000;
constexpr int kMaxOperandDepth = 100;
constexpr std::size_t kMaxScopeDepth = 1'000;

class Parser : private PtxCursor {
 public:
  Parser(std::string_view text, std::string_view name) : PtxCursor(text, name) {
    module_.name = std::string(name);
  }

  ParsedModule run() {
    while (!at_end()) parse_top_level();
    resolve_places(module_, locations_);
    return std::move(module_);
  }

 private:
  struct Scope {
    std::uint32_t id = 0;
    std::unordered_map<std::string_view, std::uint32_t> registers;
    std::unordered_map<std::string_view, std::uint32_t> variables;
    std::unordered_map<std::string_view, std::uint32_t> statics;  // by index into the module's
  };
  // Words are keyed by views; names made here (%r17 of %r<20>) live in this list.
  std::string_view keep(std::string text) {
    kept_.push_back(std::make_unique<std::string>(std::move(text)));
    return *kept_.back();
  }

  // --- module level
  void parse_top_level() {
    if (!at_word()) fail(fmt::format("unexpected '{}'", peek().text));
    const std::string_view word = peek().text;
    if (word == ".version" || word == ".address_size") {
      next();
      next();
    } else if (word == ".target") {
      next();
      module_.target = std::string(next().text);
      while (accept(",")) next();
    } else if (word == ".file") {
      parse_file();
    } else if (word == ".section") {
      skip_section();
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
      next();
    } else if (word == ".extern") {
      next();
      external_ = true;
    } else if (word == ".entry" || word == ".func") {
      next();
      parse_function(word == ".entry");
      external_ = false;
    } else if (ptx_space(word)) {
      for (Variable& variable : parse_variables(*this, external_))
        add_variable(std::move(variable));
      external_ = false;
    } else if (word == ".alias") {
      parse_alias();
    } else {
      skip_statement();  // .pragma and other unused directives
    }
  }

  // .alias name, function;
  void parse_alias() {
    next();
    std::string name(next().text);
    expect(",");
    module_.aliases.emplace_back(std::move(name), std::string(next().text));
    expect(";");
  }

  void parse_file() {
    next();
    const std::size_t number = integer();
    if (number > kMaxFileNumber) fail(fmt::format("file number {} is too large", number));
    std::string_view path = next().text;
    if (path.size() >= 2) path = path.substr(1, path.size() - 2);
    if (module_.files.size() <= number) module_.files.resize(number + 1);
    module_.files[number] = without_escapes(path);
    while (accept(",")) next();  // time stamp and size
  }

  void skip_section() {
    next();
    next();
    int depth = 0;
    do {
      depth += is("{") ? 1 : is("}") ? -1 : 0;
      if (at_end()) fail("unterminated .section");
      next();
    } while (depth > 0);
  }

  // --- functions
  void parse_function(bool is_entry) {
    function_ = ParsedFunction{};
    function_.is_entry = is_entry;
    function_.scope_parents = {0};
    scopes_.clear();
    scopes_.emplace_back();
    location_ = {};
    locations_.emplace_back();  // a function without .loc must not inherit its neighbour's
    if (!is_entry && is("(")) function_.returns = parse_parameter_list();
    function_.name = std::string(next().text);
    if (is("(")) function_.parameters = parse_parameter_list();
    parse_function_directives();
    if (is("{")) {
      function_.has_body = true;
      parse_body();
    } else {
      accept(";");
    }
    store_function();
  }

  // A definition replaces an earlier declaration.
  void store_function() {
    const auto [known, fresh] =
        functions_.try_emplace(function_.name, static_cast<std::uint32_t>(functions_.size()));
    if (fresh) {
      module_.functions.push_back(std::move(function_));
    } else if (function_.has_body) {
      module_.functions[known->second] = std::move(function_);
    }
  }

  // Operands refer to the first variable of a name.
  void add_variable(Variable variable) {
    variables_.try_emplace(variable.name, static_cast<std::uint32_t>(module_.variables.size()));
    module_.variables.push_back(std::move(variable));
  }

  std::vector<std::uint32_t> parse_parameter_list() {
    std::vector<std::uint32_t> list;
    expect("(");
    while (!accept(")")) {
      Variable variable = parse_parameter(*this);
      list.push_back(static_cast<std::uint32_t>(function_.variables.size()));
      scopes_[0].variables[keep(variable.name)] = list.back();
      function_.variables.push_back(std::move(variable));
      accept(",");
    }
    return list;
  }

  void parse_function_directives() {
    while (at_word() && peek().text[0] == '.') {
      const std::string_view word = next().text;
      int values[3] = {1, 1, 1};
      int count = 0;
      while (peek().kind == Token::Kind::kNumber && count < 3) {
        values[count++] = static_cast<int>(integer());
        if (!accept(",")) break;
      }
      if (peek().kind == Token::Kind::kString) next();
      accept(";");
      if (word == ".maxntid" || word == ".reqntid") std::copy_n(values, 3, function_.max_threads);
      if (word == ".reqnctapercluster") std::copy_n(values, 3, function_.required_cluster);
    }
  }

  void parse_body() {
    expect("{");
    for (;;) {
      if (at_end()) fail("unterminated function");
      if (accept("{")) {
        if (scopes_.size() > kMaxScopeDepth)
          fail(fmt::format("blocks are nested more than {} deep", kMaxScopeDepth));
        Scope scope;
        scope.id = static_cast<std::uint32_t>(function_.scope_parents.size());
        function_.scope_parents.push_back(scopes_.back().id);
        scopes_.push_back(std::move(scope));
      } else if (accept("}")) {
        scopes_.pop_back();
        if (scopes_.empty()) return;
      } else {
        parse_statement();
      }
    }
  }

  void parse_statement() {
    const std::string_view word = peek().text;
    if (accept(";")) return;
    if (word == ".reg") return parse_registers();
    if (word == ".loc") return parse_loc();
    if (word == ".file") return parse_file();
    if (word == ".section") return skip_section();
    if (ptx_space(word)) return declare_variables();
    if (word == ".branchtargets" || word == ".calltargets") return parse_targets();
    if (word == ".callprototype") return parse_prototype();
    if (!word.empty() && word[0] == '.') return skip_statement();  // .pragma
    if (at_word() && peek(1).text == ":") {
      Statement label;
      label.kind = Statement::Kind::kLabel;
      label.opcode = next().text;
      finish(label);
      next();
      return;
    }
    parse_instruction();
  }

  void declare_variables() {
    for (Variable& variable : parse_variables(*this, false)) {
      const std::string_view name = keep(variable.name);
      if (variable.space == Space::kGlobal || variable.space == Space::kConst) {
        // It lives as long as the module; other functions may have a variable of the same name.
        const auto index = static_cast<std::uint32_t>(module_.variables.size());
        variable.name = fmt::format("{}::{}#{}", function_.name, name, index);
        scopes_.back().statics[name] = index;
        add_variable(std::move(variable));
        continue;
      }
      scopes_.back().variables[name] = static_cast<std::uint32_t>(function_.variables.size());
      function_.variables.push_back(std::move(variable));
    }
  }

  void finish(Statement& statement) {
    statement.scope = scopes_.back().id;
    statement.ptx_line = peek().line;
    statement.source = {static_cast<int>(locations_.size()) - 1, 0};
    function_.statements.push_back(std::move(statement));
  }

  // .reg .b32 %r<10>;  .reg .pred p, q;
  void parse_registers() {
    next();
    std::size_t bytes = 0;
    bool predicate = false;
    while (at_word() && peek().text[0] == '.') {
      const std::string_view type = next().text.substr(1);
      predicate = type == "pred";
      bytes = ptx_type_bytes(type);
      if (bytes == 0) fail(fmt::format("unknown register type '.{}'", type));
    }
    const int bits = predicate ? 1 : static_cast<int>(bytes) * 8;
    do {
      const std::string_view name = next().text;
      if (accept("<")) {
        const std::uint64_t count = integer();
        expect(">");
        if (count > kMaxRegisters || function_.registers.size() + count > kMaxRegisters)
          fail(fmt::format("{} registers '{}' are more than any function has", count, name));
        for (std::uint64_t i = 0; i < count; ++i)
          declare_register(keep(fmt::format("{}{}", name, i)), bits);
      } else {
        declare_register(name, bits);
      }
    } while (accept(","));
    expect(";");
  }

  void declare_register(std::string_view name, int bits) {
    scopes_.back().registers[name] = static_cast<std::uint32_t>(function_.registers.size());
    function_.registers.push_back({std::string(name), bits});
  }

  // .loc file line column [, function_name label [+ n], inlined_at file line column]
  void parse_loc() {
    next();
    Location location;
    location.inner.file = static_cast<int>(integer());
    location.inner.line = static_cast<int>(integer());
    location.inner.column = static_cast<int>(integer());
    while (accept(",")) {
      if (next().text == "inlined_at") {
        location.inlined_at.file = static_cast<int>(integer());
        location.inlined_at.line = static_cast<int>(integer());
        location.inlined_at.column = static_cast<int>(integer());
      } else {
        next();
        if (accept("+")) next();
      }
    }
    // Line 0 marks code without a line of its own, which belongs to the line before it.
    if (location.inner.line != 0 || location.inner.file != location_.inner.file)
      location_ = location;
    locations_.push_back(location_);
  }

  void parse_targets() {
    next();
    Statement statement;
    statement.kind = Statement::Kind::kBranchTargets;
    do {
      statement.operands.push_back(parse_operand());
    } while (accept(","));
    expect(";");
    finish(statement);
  }

  // .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _) .noreturn;
  void parse_prototype() {
    next();
    const auto parameters = [this] {
      std::vector<Variable> list;
      if (!accept("(")) return list;
      while (!accept(")")) {
        list.push_back(parse_parameter(*this));
        accept(",");
      }
      return list;
    };
    CallPrototype prototype;
    prototype.returns = parameters();
    if (is("_")) next();
    prototype.parameters = parameters();
    Statement statement;
    statement.kind = Statement::Kind::kCallPrototype;
    statement.prototype = static_cast<std::uint32_t>(function_.prototypes.size());
    function_.prototypes.push_back(std::move(prototype));
    finish(statement);
    skip_statement();
  }

  void parse_instruction() {
    Statement statement;
    if (accept("@")) {
      statement.has_guard = true;
      statement.guard_negated = accept("!");
      const Operand guard = parse_operand();
      if (guard.kind != Operand::Kind::kRegister || !guard.selector.empty() ||
          function_.registers[guard.index].bits != 1)
        fail("guard is not a predicate register");
      statement.guard = guard.index;
    }
    if (!at_word()) fail(fmt::format("expected an instruction, got '{}'", peek().text));
    statement.opcode = next().text;
    negates_ = statement.opcode.starts_with("vmad");
    while (!is(";")) {
      if (at_end()) fail("unterminated instruction");
      statement.operands.push_back(parse_operand());
      if (!accept(",") && !is(";")) fail(fmt::format("expected ',' or ';', got '{}'", peek().text));
    }
    finish(statement);
    next();
  }

  // --- operands
  Operand parse_operand() {
    Operand operand = parse_simple_operand();
    if (accept("|")) {
      Operand pair;
      pair.kind = Operand::Kind::kPair;
      pair.list.push_back(std::move(operand));
      pair.list.push_back(parse_simple_operand());
      return pair;
    }
    return operand;
  }

  // Counts the nesting levels of an operand during its lifetime; each level is a recursive call.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.operand_depth_) {
      if (++depth_ > kMaxOperandDepth) parser.fail("an operand is nested too deep");
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  Operand parse_simple_operand() {
    const Nesting nesting(*this);
    if (accept("{")) return parse_list(Operand::Kind::kVector, "}");
    if (accept("(")) return parse_list(Operand::Kind::kList, ")");
    if (accept("[")) return parse_list(Operand::Kind::kAddress, "]");
    if (accept("!")) {
      Operand operand = parse_simple_operand();
      operand.negated = true;
      return operand;
    }
    if (accept("-")) {
      if (negates_ && at_word()) {
        Operand operand = parse_name();
        operand.negated = true;
        return operand;
      }
      Operand operand = number();
      if (operand.is_single) {
        operand.bits ^= 0x80000000u;
      } else if (operand.is_float) {
        operand.bits ^= std::uint64_t{1} << 63;
      } else {
        operand.bits = ~operand.bits + 1;
      }
      return operand;
    }
    if (peek().kind == Token::Kind::kNumber) return number();
    return parse_name();
  }

  Operand parse_list(Operand::Kind kind, std::string_view close) {
    Operand operand;
    operand.kind = kind;
    while (!accept(close)) {
      operand.list.push_back(parse_operand());
      if (kind == Operand::Kind::kAddress && operand.list.size() == 1)
        operand.offset = operand.list[0].offset;
      accept(",");
    }
    return operand;
  }

  Operand parse_name() {
    if (!at_word()) fail(fmt::format("expected an operand, got '{}'", peek().text));
    Operand operand;
    const std::string_view word = next().text;
    operand.text = word;
    operand.scope = scopes_.back().id;
    if (word == "_") return operand;
    operand.kind = Operand::Kind::kName;
    resolve(operand);
    if (is("+") || (is("-") && peek(1).kind == Token::Kind::kNumber))
      operand.offset = signed_integer();
    return operand;
  }

  void resolve(Operand& operand) {
    if (find(operand)) return;
    // %r1.b0, %r1.h10: the register is the part before the dot.
    const std::size_t dot = operand.text.rfind('.');
    if (dot == std::string_view::npos || dot + 2 >= operand.text.size()) return;
    const std::string_view whole = operand.text;
    const std::string_view selector = whole.substr(dot + 1);
    if ((selector[0] != 'b' && selector[0] != 'h') ||
        selector.find_first_not_of("01234567", 1) != std::string_view::npos)
      return;
    operand.text = whole.substr(0, dot);
    if (find(operand) && operand.kind == Operand::Kind::kRegister) {
      operand.selector = selector;
    } else {
      operand.kind = Operand::Kind::kName;
      operand.text = whole;
    }
  }

  bool find(Operand& operand) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->registers.find(operand.text); found != scope->registers.end()) {
        operand.kind = Operand::Kind::kRegister;
        operand.index = found->second;
        return true;
      }
      if (const auto found = scope->variables.find(operand.text); found != scope->variables.end()) {
        operand.kind = Operand::Kind::kVariable;
        operand.index = found->second;
        return true;
      }
      if (const auto found = scope->statics.find(operand.text); found != scope->statics.end()) {
        operand.kind = Operand::Kind::kVariable;
        operand.module_scope = true;
        operand.index = found->second;
        return true;
      }
    }
    const auto found = variables_.find(operand.text);
    if (found == variables_.end()) return false;
    operand.kind = Operand::Kind::kVariable;
    operand.module_scope = true;
    operand.index = found->second;
    return true;
  }

  // Allows lookups by any string type.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };
  using Names = std::unordered_map<std::string, std::uint32_t, NameHash, std::equal_to<>>;

  ParsedModule module_;
  Names functions_;  // by index into the module's
  Names variables_;
  ParsedFunction function_;
  std::vector<Scope> scopes_;
  std::vector<std::unique_ptr<std::string>> kept_;
  std::vector<Location> locations_;
  Location location_;
  bool external_ = false;
  int operand_depth_ = 0;
  bool negates_ = false;  // operands of this instruction may be negated registers
};

}  // namespace

ParsedModule parse_ptx(std::string_view text, std::string_view name) {
  return Parser(text, name).run();
}

}  // namespace warpwright::emu
