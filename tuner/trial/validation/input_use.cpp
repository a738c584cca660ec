#include "trial/validation/input_use.h"

#include <algorithm>
#include <map>

#include "spec/kernel_fills.h"
#include "trial/data/input_content.h"

namespace warpwright {
namespace {

// The numbers of units that are computed again for each input, until one shows that it matters. One
// unit suffices for most inputs, and references of wide units take long.
constexpr std::size_t kUnits[] = {1, 16, 64};
// Making inputs again copies the others.
constexpr std::size_t kMaxCopied = std::size_t{8} << 20;

using Content = std::map<std::string, std::vector<std::byte>>;

class InputSwaps {
 public:
  InputSwaps(const KernelSpec& kernel, const Environment& environment, const ProblemData& first,
             const ProblemData& other, std::span<const std::int64_t> units, const JudgeSwap& judge)
      : kernel_(kernel),
        environment_(environment),
        first_(first),
        other_(other),
        units_(units),
        judge_(judge) {
    for (const ReferenceQuestion::Input& input : first.question().inputs) {
      copied_ += input.data.size();
      any_made_ |=
          kind_of(input.name) != FillKind::kNumbers && kind_of(input.name) != FillKind::kFile;
    }
  }

  void run() {
    if (any_made_ && copied_ > kMaxCopied) return;
    for (std::size_t i = 0; i < first_.question().inputs.size(); ++i) {
      const std::string& name = first_.question().inputs[i].name;
      if (kind_of(name) == FillKind::kNumbers && differs(i)) tolerantly([&] { swap_one(i); });
    }
    if (any_made_) tolerantly([&] { swap_generated(); });
  }

 private:
  // A sweep that works without the check must not end because of it.
  template <typename Swap>
  static void tolerantly(Swap swap) {
    try {
      swap();
    } catch (const Error& error) {
      if (error.fault() != Fault::kUser) throw;
    }
  }

  [[nodiscard]] FillKind kind_of(const std::string& input) const {
    const ArgumentSpec& argument = *kernel_.find_argument(input);
    return parse_fill_origin(fill_of(argument, first_.request().fills), argument.fill_where).kind;
  }

  [[nodiscard]] bool differs(std::size_t input) const {
    const auto a = first_.question().inputs[input].data;
    const auto b = other_.question().inputs[input].data;
    return !std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  void swap_one(std::size_t input) {
    ReferenceQuestion question = first_.question();
    question.inputs[input].data = other_.question().inputs[input].data;
    Content made;
    if (any_made_) {
      made = make_others(question, first_.seed());
      put(made, question);
    }
    ask(question, {question.inputs[input].name});
  }

  // Generated inputs are replaced together, because one may be made from another.
  void swap_generated() {
    ReferenceQuestion question = first_.question();
    const Content made = make_others(question, other_.seed());
    std::vector<std::string> changed;
    for (const ReferenceQuestion::Input& input : question.inputs) {
      const auto content = made.find(input.name);
      if (content == made.end() || kind_of(input.name) != FillKind::kGenerator) continue;
      if (!std::equal(input.data.begin(), input.data.end(), content->second.begin(),
                      content->second.end()))
        changed.push_back(input.name);
    }
    if (changed.empty()) return;
    put(made, question);
    ask(question, std::move(changed));
  }

  // Makes the generated and derived inputs from the numbers and files in the question.
  [[nodiscard]] Content make_others(const ReferenceQuestion& question, std::uint64_t seed) const {
    Content given;
    for (const ReferenceQuestion::Input& input : question.inputs) {
      const FillKind kind = kind_of(input.name);
      if (kind == FillKind::kNumbers || kind == FillKind::kFile)
        given[input.name].assign(input.data.begin(), input.data.end());
    }
    const ProblemRequest& request = first_.request();
    std::map<std::string, InputContent> made =
        make_inputs(kernel_, {request.problem, environment_, request.fills, request.fills_where,
                              seed, first_.reference(), &given});
    Content others;
    for (auto& [name, content] : made)
      if (!given.contains(name)) others[name] = std::move(content.bytes);
    return others;
  }

  static void put(const Content& content, ReferenceQuestion& question) {
    for (ReferenceQuestion::Input& input : question.inputs) {
      const auto found = content.find(input.name);
      if (found != content.end()) input.data = found->second;
    }
  }

  void ask(const ReferenceQuestion& question, std::vector<std::string> inputs) const {
    for (const std::size_t wanted : kUnits) {
      const std::vector<std::size_t> chosen = spread_positions(wanted, units_.size());
      std::vector<std::int64_t> units;
      for (const std::size_t unit : chosen) units.push_back(units_[unit]);
      const ReferenceAnswer answer = first_.reference().compute(question, units);
      const bool last = chosen.size() == units_.size() || wanted == kUnits[std::size(kUnits) - 1];
      if (judge_({inputs, chosen, answer}, last) || last) return;
    }
  }

  const KernelSpec& kernel_;
  const Environment& environment_;
  const ProblemData& first_;
  const ProblemData& other_;
  const std::span<const std::int64_t> units_;
  const JudgeSwap& judge_;
  std::size_t copied_ = 0;
  bool any_made_ = false;
};

}  // namespace

void swap_inputs(const KernelSpec& kernel, const Environment& environment, const ProblemData& first,
                 const ProblemData& other, std::span<const std::int64_t> units,
                 const JudgeSwap& judge) {
  InputSwaps(kernel, environment, first, other, units, judge).run();
}

std::vector<std::size_t> spread_positions(std::size_t wanted, std::size_t all) {
  const std::size_t count = std::min(wanted, all);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(count == 1 ? all / 2 : i * (all - 1) / (count - 1));
  return chosen;
}

}  // namespace warpwright
