#include "trial/data/input_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hash.h"
#include "spec/kernel_fills.h"
#include "trial/data/derived_fill.h"
#include "trial/data/fill.h"
#include "trial/data/problem_data.h"
#include "trial/files/input_file.h"

namespace warpwright {
namespace {

class InputMaker {
 public:
  InputMaker(const KernelSpec& kernel, const InputRequest& request)
      : kernel_(kernel), request_(request) {}

  std::map<std::string, InputContent> make() {
    for (const ArgumentSpec* argument : inputs_in_order(kernel_.arguments, request_.fills)) {
      if (const std::vector<std::byte>* given = given_content(*argument)) {
        made_[argument->name] = {*given, "given"};
        continue;
      }
      const std::string& fill = fill_of(*argument, request_.fills);
      const FillOrigin origin = parse_fill_origin(fill, where_of(*argument));
      // The map and the bytes do not move while more inputs are made.
      InputContent& content = made_[argument->name];
      if (origin.kind == FillKind::kNumbers) {
        make_numbers(*argument, content);
        continue;
      }
      try {
        make_other(*argument, origin, content);
      } catch (Error& error) {
        const SourcePosition where = where_of(*argument);
        error.add_context(fmt::format("while filling argument '{}'{}", argument->name,
                                      where.known() ? " of " + where.to_string() : ""));
        throw;
      }
      content.identity = fill + " sha256 " + Sha256().field(content.bytes).hex();
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] SourcePosition where_of(const ArgumentSpec& argument) const {
    return request_.fills.contains(argument.name) ? request_.fills_where : argument.fill_where;
  }

  [[nodiscard]] const std::vector<std::byte>* given_content(const ArgumentSpec& argument) const {
    if (request_.contents == nullptr) return nullptr;
    const auto found = request_.contents->find(argument.name);
    if (found == request_.contents->end()) return nullptr;
    WARPWRIGHT_CHECK(found->second.size() == plan_tensor(argument, request_.environment).bytes,
                     "what is given for an argument is as large as it");
    return &found->second;
  }

  void make_numbers(const ArgumentSpec& argument, InputContent& content) const {
    const TensorPlan plan = plan_tensor(argument, request_.environment);
    const Fill fill =
        Fill::parse(fill_of(argument, request_.fills), where_of(argument), request_.environment);
    content.identity = fill.to_string();
    content.bytes.resize(plan.bytes);
    fill.generate({plan.dtype, plan.shape, argument.name, request_.seed}, content.bytes);
  }

  void make_other(const ArgumentSpec& argument, const FillOrigin& origin, InputContent& content) {
    const TensorPlan plan = plan_tensor(argument, request_.environment);
    if (origin.kind == FillKind::kFile) {
      const WantedArray wanted{argument.name, plan.dtype, plan.shape, plan.bytes};
      content.bytes = read_input_file(open(input_path(kernel_, origin)), origin, wanted);
    } else if (origin.kind == FillKind::kGenerator) {
      content.bytes = request_.reference.generate(
          question(argument.name),
          {argument.name, origin.name, plan.dtype, plan.shape, request_.seed});
    } else {
      const TensorPlan from =
          plan_tensor(*kernel_.find_argument(origin.argument), request_.environment);
      content.bytes.resize(plan.bytes);
      derive_input(origin.kind, {origin.argument, from.dtype, from.shape},
                   made_.at(origin.argument).bytes, {argument.name, plan.dtype, plan.shape},
                   content.bytes);
    }
  }

  [[nodiscard]] InputSource open(const std::filesystem::path& file) {
    texts_ = texts_of(kernel_);
    const InputText found = texts_->find_input(file);
    if (found.large != nullptr) return {file, *found.large};
    if (found.text == nullptr) throw user_error(fmt::format("no such file: {}", file.string()));
    return {file.string(), *found.text};
  }

  // A question with the inputs that exist already, in the contract's order.
  [[nodiscard]] ReferenceQuestion question(const std::string& asking) const {
    ReferenceQuestion question;
    question.sizes = reference_sizes(kernel_, request_.problem, request_.environment);
    for (const ArgumentSpec& argument : kernel_.arguments) {
      const auto made = made_.find(argument.name);
      if (made == made_.end() || argument.name == asking) continue;
      const TensorPlan plan = plan_tensor(argument, request_.environment);
      question.inputs.push_back({argument.name, plan.dtype, plan.shape, made->second.bytes});
    }
    return question;
  }

  const KernelSpec& kernel_;
  const InputRequest& request_;
  std::shared_ptr<SourceBundle> texts_;  // of the file being read
  std::map<std::string, InputContent> made_;
};

}  // namespace

std::map<std::string, InputContent> make_inputs(const KernelSpec& kernel,
                                                const InputRequest& request) {
  return InputMaker(kernel, request).make();
}

Problem reference_sizes(const KernelSpec& kernel, const Problem& problem,
                        const Environment& environment) {
  Problem sizes = problem;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role != ArgumentRole::kValue) continue;
    const std::vector<std::string>& names = argument.value.names();
    const bool from_problem = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return kernel.find_size(name) != nullptr;
    });
    if (from_problem) sizes.emplace(argument.name, argument.value.evaluate(environment));
  }
  return sizes;
}

}  // namespace warpwright
