// Decodes one function. Instructions are built with virtual registers and recorded uses; finish()
// asks the register allocator for rows and writes them into the instructions. The decode_*.cpp
// files add the opcode families; each decoder takes the statement that current() returns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/decode/shared_objects.h"
#include "emu/lanes/lane_table.h"
#include "emu/program/program.h"
#include "emu/program/register_allocation.h"
#include "emu/ptx/ptx_ast.h"
#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

enum class AtomicOp : std::uint8_t;
enum class AtomicType : std::uint8_t;

[[nodiscard]] inline std::size_t align_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// The state shared by all functions of a module while it is decoded.
struct ModuleDecoder {
  const ParsedModule* module = nullptr;
  Program* program = nullptr;
  std::map<std::string, std::uint32_t, std::less<>> function_indices;
  // A shared variable that several functions use has the same address in all of them.
  std::vector<std::size_t> shared_offsets;                               // by module variable
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> objects;  // by symbol and offset
  std::map<std::vector<std::uint32_t>, std::uint32_t> object_sets;
  std::size_t shared_bytes = 0;
  std::vector<Signature> signatures;  // by function
  // Functions that are reachable only through pointers: no kernel calls them by name, directly or
  // indirectly.
  std::vector<bool> only_by_pointer;
  std::uint32_t first_register = 0;  // numbers of the registers of the function being decoded
};

// Lays out the variables one after the other, parameters first, each at its alignment.
[[nodiscard]] Signature signature_of(const std::vector<const Variable*>& parameters,
                                     const std::vector<const Variable*>& returns);

[[nodiscard]] inline std::vector<const Variable*> addresses_of(
    const std::vector<Variable>& variables) {
  std::vector<const Variable*> addresses;
  for (const Variable& variable : variables) addresses.push_back(&variable);
  return addresses;
}

class FunctionDecoder {
 public:
  FunctionDecoder(ModuleDecoder& module, const ParsedFunction& parsed, std::uint32_t index);
  void decode();

  // --- for the decode_*.cpp files
  // The destination of the next operand of an instruction.
  enum Field : std::uint8_t { kDst, kDst2, kSrc0, kSrc1, kSrc2, kSrc3, kGuard, kExtra };

  [[nodiscard]] const Statement& current() const { return *statement_; }
  [[nodiscard]] const std::vector<std::string_view>& parts() const { return parts_; }
  // The part of the opcode between dots, counted from 0; "" after the last one.
  [[nodiscard]] std::string_view part(std::size_t i) const {
    return i < parts_.size() ? parts_[i] : std::string_view{};
  }
  [[nodiscard]] const Operand& operand(std::size_t i) const;
  [[nodiscard]] bool has_part(std::string_view part) const;
  [[noreturn]] void unsupported() const;  // the current opcode
  [[noreturn]] void unsupported(const std::string& what) const;

  // Appends an instruction under the current guard; the reference is valid until the next call.
  Inst& emit(Handler run, InstClass klass);
  void use(Field field, std::uint32_t reg, bool defines);
  // Adds a source: any operand that can be read as a row of the shape.
  void source(Field field, const Operand& operand, Shape shape, Literal literal = Literal::kBits);
  [[nodiscard]] std::uint32_t prepare(const Operand& operand, Shape shape, Literal literal);
  void prepared(Field field, std::uint32_t value);
  void constant(Field field, std::uint64_t bits, Shape shape);
  void predicate_source(Field field, const Operand& operand);
  void destination(Field field, const Operand& operand, Shape shape);
  // Returns the register of a destination operand, for lane_op().
  [[nodiscard]] std::uint32_t result(const Operand& operand, Shape shape);
  [[nodiscard]] std::uint32_t temporary(Shape shape);
  void lane_op(std::string_view name, std::uint32_t dst,
               std::initializer_list<std::uint32_t> sources);
  [[nodiscard]] int register_bits(std::uint32_t reg) const { return registers_[reg].bits; }
  void begin_extra();
  void extra(const Operand& operand, Shape shape, bool defines);
  void extra_value(std::uint32_t value);

  struct Address {
    Space space = Space::kGeneric;
    bool frame_param = false;
    std::uint32_t base = 0;  // prepared value
    bool wide = true;
    std::int64_t offset = 0;
  };
  [[nodiscard]] Address address(const Operand& operand, Space space);
  void require_within(const Operand& base, std::size_t bytes) const;
  void use_address(Inst& inst, const Address& address);

  // --- families; each returns false if it does not support the form
  bool decode_lane();
  bool decode_memory();
  bool decode_control();
  bool decode_warp();
  bool decode_async();
  bool decode_tensor();
  bool decode_video();
  bool decode_texture();

  [[nodiscard]] static std::vector<std::string> memory_opcodes();
  [[nodiscard]] static std::vector<std::string> control_opcodes();
  [[nodiscard]] static std::vector<std::string> warp_opcodes();
  [[nodiscard]] static std::vector<std::string> async_opcodes();
  [[nodiscard]] static std::vector<std::string> tensor_opcodes();
  [[nodiscard]] static std::vector<std::string> move_opcodes();
  [[nodiscard]] static std::vector<std::string> video_opcodes();
  [[nodiscard]] static std::vector<std::string> texture_opcodes();

 private:
  [[nodiscard]] static bool is_video(std::string_view base);
  bool decode_move();
  bool decode_predicate_logic();
  bool decode_compare();
  void decode_pack();
  void decode_load_store(bool load);
  void decode_atomic(bool returns);
  void decode_vector_atomic(bool returns, AtomicOp op, AtomicType type);
  [[nodiscard]] std::vector<Operand> halves_of(const Operand& operand);
  bool decode_quad_move();
  void decode_quad_atomic(Space space);
  void decode_cvta();
  void decode_cp_async();
  void decode_mbarrier();
  void decode_copy();
  void decode_bulk_copy();
  void decode_tensor_copy();
  void decode_store_async(bool reduces);
  [[nodiscard]] std::int64_t reduction(bool typed) const;
  [[nodiscard]] std::uint32_t wide_address(const Operand& bracket);
  void extra_optional(std::uint32_t value);
  void decode_call();
  void decode_indirect_call(const Operand& target, const Operand* returns, const Operand* arguments,
                            const Operand& shape);
  [[nodiscard]] CallSite call_site(const Operand* returns, const Operand* arguments,
                                   const Signature& signature) const;
  [[nodiscard]] std::size_t parameter_offset(const Operand& param) const;
  [[nodiscard]] std::uint32_t function_named(std::string_view name) const;
  [[nodiscard]] const Statement* labelled(const Operand& label, Statement::Kind kind) const;
  void find_directives();
  void decode_branch_indexed();
  void decode_barrier();
  void decode_branch(const Operand& target);
  void decode_matrix_move(bool load);
  void decode_mma(bool wmma);
  void decode_scaled_mma();
  [[nodiscard]] std::optional<BlockScale> block_scale(MmaForm& form) const;
  void decode_wmma_move(bool load);
  void decode_wgmma();
  void decode_wgmma_product();
  [[nodiscard]] std::vector<Operand> elements(std::size_t i) const;
  [[nodiscard]] std::vector<std::uint32_t> prepare_elements(std::size_t i, std::size_t count,
                                                            TensorFormat format);
  void tensor_result(const Operand& result, Shape shape);
  void extra_raw(std::uint32_t value);
  void lay_out_variables();
  void decode_statement();
  [[nodiscard]] std::uint32_t object_set(const std::vector<SharedVariable>& variables);
  void resolve_labels();
  void finish();
  void record_uses();
  [[nodiscard]] std::uint32_t constant_value(std::uint64_t bits, Shape shape, std::string symbol);
  [[nodiscard]] std::uint32_t variable_address(const Operand& operand, Shape shape);
  [[nodiscard]] std::uint32_t add_register(int bits);
  [[nodiscard]] const Variable& variable(const Operand& operand) const;
  [[nodiscard]] std::string normalized_name() const;

  ModuleDecoder& module_;
  const ParsedFunction& parsed_;
  std::uint32_t index_;
  std::vector<RegisterDeclaration> registers_;
  const Statement* statement_ = nullptr;
  std::vector<std::string_view> parts_;
  std::vector<Inst> code_;
  std::vector<SourceLine> lines_;
  std::vector<std::string> opcodes_;
  std::vector<std::uint32_t> accessed_sets_;
  std::vector<RegisterUse> uses_;
  std::vector<std::uint32_t> global_loads_;  // instructions
  std::vector<std::uint32_t> extra_;
  std::vector<ConstantRow> constants_;
  std::map<std::tuple<std::uint64_t, bool, std::string>, std::uint32_t> constant_index_;
  std::uint32_t constant_rows_ = 0;
  struct LabelUse {
    std::size_t inst = 0;
    bool in_extra = false;
    std::size_t extra = 0;
    std::string_view name;
    std::uint32_t scope = 0;
  };
  std::vector<LabelUse> label_uses_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> labels_;
  // By kind, scope and label.
  std::map<std::tuple<Statement::Kind, std::uint32_t, std::string_view>, const Statement*>
      directives_;
  std::vector<bool> is_launch_parameter_;               // by variable
  std::map<std::uint32_t, std::uint32_t> quad_halves_;  // of 128-bit registers: the lower half
  std::vector<std::size_t> variable_offsets_;
  std::size_t local_bytes_ = 0;
  std::size_t param_bytes_ = 0;
  std::size_t shared_bytes_ = 0;
  std::size_t ptx_statement_ = 0;
};

}  // namespace warpwright::emu
