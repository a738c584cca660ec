#include "vet/comments/comment_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "core/escape.h"
#include "core/expr/expr.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "spec/names.h"
#include "spec/yaml_document.h"
#include "vet/comments/device_source.h"

namespace warpwright {
namespace {

// Returns "saxpy" for "blas::saxpy<float, 128>".
std::string plain_name(const std::string& entry) {
  std::string name = entry.substr(0, entry.find('<'));
  while (name.ends_with(' ')) name.pop_back();
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos)
    name.erase(0, colon + 1);
  name.erase(0, name.find_first_not_of(' '));
  return name;
}

// Explains why a number cannot be a value of `dtype`; empty when it can.
std::string misfit(const Value& value, const std::string& dtype) {
  const bool is_whole = dtype == "bool" || is_integer_dtype(dtype);
  if (!is_whole) return "";
  if (value.is_real()) return "give a whole number";
  if (dtype == "bool" || dtype == "i64" || dtype == "u64") return "";
  const int bits = *dtype_bytes(dtype) * 8;
  const std::int64_t least = dtype[0] == 'u' ? 0 : -(std::int64_t{1} << (bits - 1));
  const std::int64_t most = (std::int64_t{1} << (dtype[0] == 'u' ? bits : bits - 1)) - 1;
  const std::int64_t given = value.as_integer();
  return given >= least && given <= most ? "" : fmt::format("it holds {} to {}", least, most);
}

// How a buffer is used by all launches together.
struct Memory {
  ElementType type;
  std::int64_t lanes = 1;
  bool is_written = false;  // some kernel takes it by a pointer to non-const
  bool is_known = false;
};

class ContractWriter {
 public:
  ContractWriter(const LaunchComment& comment, const std::filesystem::path& source,
                 const std::map<std::string, std::vector<ParameterType>>& parameters)
      : comment_(comment), source_(source), parameters_(parameters) {}

  [[nodiscard]] std::string write() {
    for (const CommentLaunch& launch : comment_.launches) read_launch(launch);
    for (const CommentBuffer& buffer : comment_.buffers)
      if (buffer.is_constant) read_constant(buffer);
    std::string text = comment_.constants.empty() ? "" : "problem: {" + sizes() + "}\n";
    const bool takes_none = comment_.buffers.empty() && scalars_.empty();
    text += takes_none ? "arguments: []\n" : "arguments:\n";
    for (const CommentBuffer& buffer : comment_.buffers) text += memory_line(buffer);
    text += scalars_;
    text += fmt::format("options: [{}]\n", yaml_text(unannotated_is_device()));
    text += fmt::format("deterministic: {}\n", comment_.deterministic);
    text += fmt::format("variants:\n  {}:\n    source: {}\n    launches:\n{}", name_of(comment_),
                        yaml_text(source_.filename().string()), launches_);
    text += fmt::format("cases: [{{name: {}, problem: {{}}}}]\n", yaml_text(case_of(comment_)));
    return text;
  }

 private:
  [[nodiscard]] std::string sizes() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : comment_.constants) {
      const bool is_whole = value.is_integer() && value.as_integer() < 1;
      all.push_back(fmt::format("{}: {{default: {}{}}}", name, value.to_string(),
                                is_whole ? ", min: " + value.to_string() : ""));
    }
    return join(all);
  }

  void read_launch(const CommentLaunch& launch) {
    const std::vector<ParameterType>& wanted = parameters_.at(launch.entry);
    if (launch.arguments.size() != wanted.size()) {
      std::vector<std::string> types;
      for (const ParameterType& one : wanted) types.push_back(one.name);
      throw user_error(launch.where,
                       fmt::format("'{}' takes {} ({}), got {}; make them match",
                                   shown_name(launch.entry), plural(wanted.size(), "argument"),
                                   fmt::join(types, ", "), launch.arguments.size()));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      names.push_back(read_argument(launch, i, wanted[i]));
    for (const CommentBuffer& buffer : comment_.buffers)
      if (buffer.is_constant) names.push_back(buffer.name);
    const auto extents = [](const std::array<std::int64_t, 3>& all) {
      return fmt::format("[{}, {}, {}]", all[0], all[1], all[2]);
    };
    launches_ += fmt::format(
        "      - {{entry: {}, grid: {}, block: {}, shared: {}{}, arguments: [{}]}}\n",
        yaml_text(launch.entry), extents(launch.grid), extents(launch.block), launch.shared_bytes,
        launch.cluster ? ", cluster: " + extents(*launch.cluster) : "", fmt::join(names, ", "));
  }

  [[nodiscard]] std::string read_argument(const CommentLaunch& launch, std::size_t index,
                                          const ParameterType& type) {
    const CommentArgument& argument = launch.arguments[index];
    const std::string whose =
        fmt::format("argument {} of '{}'", index + 1, shown_name(launch.entry));
    using Kind = CommentArgument::Kind;
    if (argument.kind == Kind::kBuffer) {
      const CommentBuffer& buffer = buffer_of(argument.name);
      if (!type.is_pointer())
        throw user_error(
            argument.where,
            fmt::format("{} is of type {}, got the memory '{}'; give a number or a constant", whose,
                        type.name, argument.name));
      if (buffer.is_constant)
        throw user_error(argument.where,
                         fmt::format("'{}' is a __constant__ variable, which kernels use by its "
                                     "name; remove it here",
                                     argument.name));
      add_use(buffer, type, whose);
      return argument.name;
    }
    std::string dtype = "u64";
    Value value = std::int64_t{0};
    if (argument.kind == Kind::kNumber) {
      if (type.is_pointer() && argument.value == Value(0)) {
        value = argument.value;
      } else if (type.is_pointer()) {
        throw user_error(
            argument.where,
            fmt::format("{} is of type {}, got the number {}; write x[1024] for memory of "
                        "that many elements, or nullptr",
                        whose, type.name, argument.value.to_string()));
      } else {
        dtype = scalar_type(argument, type, whose);
        value = argument.value;
      }
    } else if (!type.is_pointer()) {
      throw user_error(argument.where, fmt::format("{} is of type {}, got nullptr; give a number",
                                                   whose, type.name));
    }
    std::string name = fmt::format("argument_{}", ++scalar_count_);
    scalars_ += fmt::format("  - {{name: {}, value: {}, dtype: {}}}\n", name,
                            yaml_text(number_text(value)), dtype);
    return name;
  }

  // Formats a value as an expression: literals have no sign, so a negative number uses unary minus.
  [[nodiscard]] static std::string number_text(const Value& value) {
    return value.is_bool() ? std::string(value.as_bool() ? "true" : "false") : value.to_string();
  }

  [[nodiscard]] static std::string scalar_type(const CommentArgument& argument,
                                               const ParameterType& type,
                                               const std::string& whose) {
    std::optional<ElementType> known = element_type(type.name);
    if (!known && type.is_enum) known = ElementType{fmt::format("i{}", type.bytes * 8), 1};
    if (!known || known->lanes != 1)
      throw user_error(
          argument.where,
          fmt::format("{} is of type {}, which a comment cannot give; write a __global__ function "
                      "next to it that takes numbers and calls the same functions",
                      whose, type.name));
    if (const std::string why = misfit(argument.value, known->dtype); !why.empty())
      throw user_error(argument.where, fmt::format("{} is of type {}, got {}; {}", whose, type.name,
                                                   argument.value.to_string(), why));
    return known->dtype;
  }

  [[nodiscard]] const CommentBuffer& buffer_of(const std::string& name) const {
    return *std::find_if(comment_.buffers.begin(), comment_.buffers.end(),
                         [&](const CommentBuffer& one) { return one.name == name; });
  }

  [[nodiscard]] ElementType written_type(const CommentBuffer& buffer) const {
    if (auto type = element_type(buffer.type)) return *type;
    throw user_error(buffer.where,
                     fmt::format("'{}' is not a type that a comment can name; leave it out for the "
                                 "kernel's own, or write float, int, double, __half or another "
                                 "of C++ or CUDA",
                                 buffer.type));
  }

  void add_use(const CommentBuffer& buffer, const ParameterType& type, const std::string& whose) {
    Memory& memory = memory_[buffer.name];
    memory.is_written = memory.is_written || !type.is_read_only();
    if (memory.is_known) return;
    memory.is_known = true;
    if (!buffer.type.empty()) {
      memory.type = written_type(buffer);
      memory.lanes = memory.type.lanes;
      return;
    }
    if (const auto known = element_type(type.pointee())) {
      memory.type = *known;
      const std::int64_t bytes = *dtype_bytes(known->dtype);
      memory.lanes = type.pointee_bytes > 0 ? type.pointee_bytes / bytes : known->lanes;
      return;
    }
    if (type.pointee_bytes == 0)
      throw user_error(
          buffer.where,
          fmt::format("{} is of type {}, which has no size; write a type before '{}', such "
                      "as float {}[{}]",
                      whose, type.name, buffer.name, buffer.name, buffer.elements()));
    // A struct is passed as bytes.
    memory.type = {"u8", 1};
    memory.lanes = type.pointee_bytes;
    structs_.insert(buffer.name);
  }

  void read_constant(const CommentBuffer& buffer) {
    if (buffer.type.find_first_not_of(' ') == std::string::npos)
      throw user_error(buffer.where,
                       fmt::format("a __constant__ variable needs its type; write __constant__ "
                                   "float {}[{}]",
                                   buffer.name, buffer.elements()));
    Memory& memory = memory_[buffer.name];
    memory.type = written_type(buffer);
    memory.lanes = memory.type.lanes;
  }

  // Random integers may serve as indices into any memory of the comment, so its smallest size
  // bounds them.
  [[nodiscard]] std::int64_t smallest_memory() const {
    std::int64_t least = 256;
    for (const CommentBuffer& buffer : comment_.buffers) least = std::min(least, buffer.elements());
    return least;
  }

  [[nodiscard]] std::string fill_of(const CommentBuffer& buffer, const Memory& memory) const {
    const InitialContent& content = buffer.content;
    const std::string& dtype = memory.type.dtype;
    const bool is_whole = is_integer_dtype(dtype);
    for (const std::optional<Value>* limit : {&content.low, &content.high}) {
      const std::string why = *limit ? misfit(**limit, dtype) : "";
      if (!why.empty())
        throw user_error(content.where,
                         fmt::format("'{}' has elements of {}, got {}; {}", buffer.name, dtype,
                                     (*limit)->to_string(), why));
    }
    switch (content.kind) {
      case InitialContent::Kind::kNumber:
        return fmt::format("constant({})", content.low->to_string());
      case InitialContent::Kind::kIota:
        return "sequence(0, 1)";
      case InitialContent::Kind::kPermutation:
        return "shuffled_range";
      case InitialContent::Kind::kUnset:
        return "";
      case InitialContent::Kind::kRandom:
        break;
    }
    if (content.low) {
      const std::string limits =
          fmt::format("({}, {})", content.low->to_string(), content.high->to_string());
      return (is_whole ? "integers" : "uniform") + limits;
    }
    if (structs_.count(buffer.name) > 0) return "zeros";
    if (dtype == "bool") return "choice(0, 1)";
    if (!is_whole) return "uniform(-1, 1)";
    const std::int64_t most = dtype == "i8" ? 127 : 255;
    return fmt::format("integers(0, {})", std::min(smallest_memory() - 1, most));
  }

  [[nodiscard]] std::string memory_line(const CommentBuffer& buffer) const {
    const Memory& memory = memory_.at(buffer.name);
    const std::string fill = fill_of(buffer, memory);
    std::string shape = join(buffer.extents);
    if (memory.lanes != 1) shape += fmt::format(", {}", memory.lanes);
    const char* role = buffer.is_constant  ? "constant"
                       : fill.empty()      ? "out"
                       : memory.is_written ? "inout"
                                           : "in";
    return fmt::format("  - {{name: {}, {}: {}, shape: [{}]{}{}}}\n", buffer.name, role,
                       memory.type.dtype, shape, fill.empty() ? "" : ", fill: " + yaml_text(fill),
                       buffer.is_constant ? ", symbol: " + yaml_text(buffer.name) : "");
  }

  const LaunchComment& comment_;
  const std::filesystem::path& source_;
  const std::map<std::string, std::vector<ParameterType>>& parameters_;
  std::map<std::string, Memory> memory_;
  std::set<std::string> structs_;  // memory of struct types, declared as bytes
  std::string scalars_, launches_;
  int scalar_count_ = 0;
};

}  // namespace

std::string name_of(const LaunchComment& comment) {
  std::vector<std::string> names;
  for (const CommentLaunch& launch : comment.launches) {
    std::string name = plain_name(launch.entry);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  if (names.size() > 3) names.resize(3);
  return join(names, "_then_");
}

std::string case_of(const LaunchComment& comment) {
  return fmt::format("line {}", comment.where.line);
}

std::string contract_of(const LaunchComment& comment, const std::filesystem::path& source,
                        const std::map<std::string, std::vector<ParameterType>>& parameters) {
  return ContractWriter(comment, source, parameters).write();
}

}  // namespace warpwright
