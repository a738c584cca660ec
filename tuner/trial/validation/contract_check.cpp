#include "trial/validation/contract_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "trial/compare/candidate_output.h"
#include "trial/validation/input_use.h"

namespace warpwright {
namespace {

// If units are wide, a part of them is checked first, and all of them only if something passes.
constexpr std::size_t kMaxChecked = std::size_t{1} << 16;

bool is_accepted(const KernelSpec& kernel, const Environment& environment,
                 const ContractRemark& remark) {
  const bool is_of_input = remark.code == RemarkCode::kInputUnused;
  const ArgumentSpec* argument = kernel.find_argument(is_of_input ? remark.input : remark.output);
  return argument != nullptr && accepts(*argument, remark.code, environment);
}

std::int64_t elements_of(std::span<const std::int64_t> shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  return elements;
}

// Chooses units of the problem's sample, at least two, so that no output has many more elements.
std::vector<std::size_t> checked_positions(const ProblemData& data, std::size_t most_elements) {
  std::size_t widest = 1;
  for (const ReferenceQuestion::Output& output : data.question().outputs)
    widest = std::max(widest, static_cast<std::size_t>(output.unit_elements));
  return spread_positions(std::max<std::size_t>(most_elements / widest, 2),
                          data.sample().units.size());
}

// One output, restricted to the units that are checked.
struct CheckedOutput {
  std::size_t index = 0;  // among the problem's outputs
  std::vector<double> expected;
  std::optional<CandidateOutput> candidate;
  bool is_judged = false;  // false without elements, and for a constant output of a case
  bool mean_passes = false;
  bool other_seed_passes = false;
};

class ContractCheck {
 public:
  ContractCheck(const KernelSpec& kernel, const Environment& environment, const ProblemData& first,
                const ProblemData* other, CheckedProblem problem, std::size_t most_elements,
                const std::set<std::string>* only = nullptr)
      : kernel_(kernel),
        environment_(environment),
        first_(first),
        other_(other),
        positions_(checked_positions(first, most_elements)) {
    for (const std::size_t position : positions_) units_.push_back(first.sample().units[position]);
    outputs_.resize(first.outputs());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      CheckedOutput& output = outputs_[i];
      output.index = i;
      OutputView view = first.output_view(i, environment);
      if (only != nullptr && !only->contains(view.name)) continue;
      const auto width = static_cast<std::size_t>(view.unit_elements);
      for (const std::size_t position : positions_) {
        const auto unit = view.expected.subspan(position * width, width);
        output.expected.insert(output.expected.end(), unit.begin(), unit.end());
      }
      view.units = units_;
      view.expected = output.expected;
      output.candidate.emplace(std::move(view), scorer(i));
      const auto same = [&](double value) { return value == output.expected.front(); };
      output.is_judged = !output.expected.empty() &&
                         (problem == CheckedProblem::kOfSweep ||
                          !std::all_of(output.expected.begin(), output.expected.end(), same));
    }
  }

  [[nodiscard]] bool is_whole() const { return units_.size() == first_.sample().units.size(); }

  void try_outputs() {
    for (CheckedOutput& output : outputs_) {
      if (!output.is_judged) continue;
      try_zeros(output);
      try_mean(output);
      if (other_ != nullptr) try_other_seed(output);
      for (const ReferenceQuestion::Input& input : first_.question().inputs)
        try_copy(output, input);
      if (!output.mean_passes) try_axes(output);
    }
  }

  // Call this after try_outputs(), and only when no output was left out.
  void try_inputs() {
    const bool any = std::any_of(outputs_.begin(), outputs_.end(),
                                 [](const CheckedOutput& output) { return output.is_judged; });
    if (other_ == nullptr || !any) return;
    swap_inputs(kernel_, environment_, first_, *other_, units_,
                [&](const SwappedAnswer& swapped, bool last) { return judge_swap(swapped, last); });
  }

  [[nodiscard]] ContractFindings take() { return std::move(findings_); }

 private:
  [[nodiscard]] Scorer scorer(std::size_t output) const {
    if (!first_.reference().has_score()) return {};
    return [this, name = first_.question().outputs[output].name](std::int64_t unit,
                                                                 std::int64_t index) {
      return first_.reference().score(first_.question(), name, unit, index);
    };
  }

  [[nodiscard]] static ContractRemark subject_of(const CheckedOutput& output, RemarkCode code) {
    ContractRemark remark;
    remark.code = code;
    remark.output = output.candidate->view().name;
    return remark;
  }

  static void add_numbers(const CheckedOutput& output, ContractRemark& remark) {
    const std::size_t largest = output.candidate->largest_expected();
    const double expected = std::fabs(output.expected[largest]);
    remark.largest_expected = std::isfinite(expected) ? expected : 0;
    remark.allowed = output.candidate->allowed(largest);
  }

  void note(ContractRemark remark, bool holds) {
    if (is_accepted(kernel_, environment_, remark)) return;
    (holds ? findings_.remarks : findings_.refuted).push_back(std::move(remark));
  }

  void note(const CheckedOutput& output, ContractRemark remark, bool holds) {
    if (holds) add_numbers(output, remark);
    note(std::move(remark), holds);
  }

  void try_zeros(const CheckedOutput& output) {
    note(output, subject_of(output, RemarkCode::kZerosPass),
         output.candidate->passes([](std::size_t) { return 0.0; }));
  }

  void try_mean(CheckedOutput& output) {
    if (output.expected.size() < 2) return;  // a single element is its mean
    const double mean = output.candidate->mean_expected();
    output.mean_passes = output.candidate->passes([=](std::size_t) { return mean; });
    note(output, subject_of(output, RemarkCode::kMeanPasses), output.mean_passes);
  }

  // Compares the units that both seeds have; in large problems each seed has its own sample.
  void try_other_seed(CheckedOutput& output) {
    const std::vector<std::int64_t>& theirs = other_->sample().units;
    std::vector<std::size_t> common;
    std::vector<std::size_t> there;  // by unit, the other's position
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      const auto found = std::lower_bound(theirs.begin(), theirs.end(), units_[unit]);
      there.push_back(static_cast<std::size_t>(found - theirs.begin()));
      if (found != theirs.end() && *found == units_[unit]) common.push_back(unit);
    }
    const std::vector<double>& expected = other_->expected()[output.index];
    const auto width = static_cast<std::size_t>(output.candidate->view().unit_elements);
    output.other_seed_passes = output.candidate->passes(
        [&](std::size_t at) { return expected[there[at / width] * width + at % width]; }, common);
    note(output, subject_of(output, RemarkCode::kOtherSeedPasses), output.other_seed_passes);
  }

  void try_copy(const CheckedOutput& output, const ReferenceQuestion::Input& input) {
    // A kernel that copies an input of another size would not pass.
    const bool passes =
        elements_of(input.shape) == elements_of(output.candidate->view().shape) &&
        output.candidate->passes([&](std::size_t at) {
          return load_element(input.dtype, input.data.data(),
                              static_cast<std::size_t>(output.candidate->position(at)));
        });
    ContractRemark remark = subject_of(output, RemarkCode::kInputCopyPasses);
    remark.input = input.name;
    note(output, std::move(remark), passes);
  }

  void try_axes(const CheckedOutput& output) {
    const std::vector<std::int64_t>& shape = output.candidate->view().shape;
    std::int64_t stride = elements_of(shape);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      stride /= shape[axis];
      const std::optional<bool> constant =
          is_constant_along(*output.candidate, stride, shape[axis]);
      if (!constant) continue;
      ContractRemark remark = subject_of(output, RemarkCode::kConstantAlongAxis);
      remark.axis = static_cast<int>(axis);
      note(output, std::move(remark), *constant);
    }
  }

  // Whether the first element of each line passes for all others; nullopt when no line has two.
  static std::optional<bool> is_constant_along(const CandidateOutput& candidate,
                                               std::int64_t stride, std::int64_t extent) {
    if (extent < 2) return std::nullopt;
    if (varies_early(candidate, stride, extent)) return false;
    std::unordered_map<std::int64_t, double> lines;  // by the position of index 0
    std::optional<bool> constant;
    for (std::size_t at = 0; at < candidate.size(); ++at) {
      const std::int64_t position = candidate.position(at);
      const std::int64_t begin = position - position / stride % extent * stride;
      const auto [line, fresh] = lines.try_emplace(begin, candidate.view().expected[at]);
      if (fresh) continue;
      if (!candidate.is_within(at, line->second)) return false;
      constant = true;
    }
    return constant;
  }

  // Looking up all lines takes long, and most outputs vary on the first ones already.
  static bool varies_early(const CandidateOutput& candidate, std::int64_t stride,
                           std::int64_t extent) {
    constexpr std::size_t kLines = 64;
    constexpr std::int64_t kSteps = 64;
    for (std::size_t at = 0; at < std::min(kLines, candidate.size()); ++at) {
      const std::int64_t position = candidate.position(at);
      const std::int64_t index = position / stride % extent;
      for (std::int64_t step = 1; step < std::min(extent - index, kSteps); ++step) {
        const std::optional<std::size_t> other = candidate.find(position + step * stride);
        if (other && !candidate.is_within(*other, candidate.view().expected[at])) return true;
      }
    }
    return false;
  }

  bool judge_swap(const SwappedAnswer& swapped, bool last) {
    std::optional<ContractRemark> remark = closest_change(swapped);
    const bool unused = remark.has_value();
    if (unused && !last) return false;
    if (!remark) remark.emplace();
    remark->code = RemarkCode::kInputUnused;
    for (const std::string& input : swapped.inputs) {
      remark->input = input;
      note(*remark, unused);
    }
    return true;
  }

  // Returns the change that comes closest to its limit; nullopt when one exceeds it.
  [[nodiscard]] std::optional<ContractRemark> closest_change(const SwappedAnswer& swapped) const {
    ContractRemark remark;
    double closest = 0;
    for (const CheckedOutput& output : outputs_) {
      const CandidateOutput& candidate = *output.candidate;
      const auto width = static_cast<std::size_t>(candidate.view().unit_elements);
      const std::vector<double>& values = swapped.answer[output.index];
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = swapped.units[i / width] * width + i % width;
        const double expected = output.expected[at];
        if (values[i] == expected || (std::isnan(values[i]) && std::isnan(expected))) continue;
        const bool any_counts = output.other_seed_passes || !output.is_judged;
        if (any_counts || !candidate.is_within(at, values[i])) return std::nullopt;
        const double change = std::fabs(values[i] - expected);
        const double ratio = change / candidate.allowed(at);
        if (ratio <= closest) continue;
        closest = ratio;
        remark = subject_of(output, RemarkCode::kInputUnused);
        add_numbers(output, remark);
        remark.change = change;
      }
    }
    return remark;
  }

  const KernelSpec& kernel_;
  const Environment& environment_;
  const ProblemData& first_;
  const ProblemData* other_;
  std::vector<std::size_t> positions_;  // the checked units, as indices into the first sample
  std::vector<std::int64_t> units_;
  std::vector<CheckedOutput> outputs_;
  ContractFindings findings_;
};

// Tolerances may depend on parameters.
std::string limits_text(const OutputView& view) {
  std::string text = fmt::format("\n{} {} {} {} {}", view.name, view.tolerance_abs,
                                 view.tolerance_rel, view.tolerance_rms, view.mismatches);
  if (view.accumulate) {
    text += fmt::format(" {} {}", view.accumulate->terms, dtype_name(view.accumulate->accumulator));
  }
  return text;
}

}  // namespace

std::vector<ContractRemark> unrefuted(const std::vector<ContractFindings>& cases) {
  std::vector<ContractRemark> standing;
  for (const ContractFindings& one : cases) add_remarks(standing, one.remarks);
  std::erase_if(standing, [&](const ContractRemark& remark) {
    return std::any_of(cases.begin(), cases.end(), [&](const ContractFindings& one) {
      return std::any_of(one.refuted.begin(), one.refuted.end(),
                         [&](const ContractRemark& other) { return same_subject(other, remark); });
    });
  });
  return standing;
}

ContractFindings check_contract(const KernelSpec& kernel, const Environment& environment,
                                const ProblemData& first, const ProblemData* other,
                                CheckedProblem problem) {
  if (!first.reference().exists()) return {};
  ContractCheck part(kernel, environment, first, other, problem, kMaxChecked);
  part.try_outputs();
  part.try_inputs();
  ContractFindings findings = part.take();
  if (part.is_whole()) return findings;
  // A candidate that passes for a part may fail for the whole output.
  std::set<std::string> outputs;
  for (const ContractRemark& remark : findings.remarks)
    if (remark.code != RemarkCode::kInputUnused) outputs.insert(remark.output);
  if (outputs.empty()) return findings;
  ContractCheck whole(kernel, environment, first, other, problem,
                      std::numeric_limits<std::size_t>::max(), &outputs);
  whole.try_outputs();
  std::erase_if(findings.remarks, [](const ContractRemark& remark) {
    return remark.code != RemarkCode::kInputUnused;
  });
  ContractFindings confirmed = whole.take();
  findings.remarks.insert(findings.remarks.begin(), confirmed.remarks.begin(),
                          confirmed.remarks.end());
  findings.refuted.insert(findings.refuted.end(), confirmed.refuted.begin(),
                          confirmed.refuted.end());
  return findings;
}

const std::vector<ContractRemark>& ContractChecks::remarks(const Environment& environment,
                                                           ProblemInputs& inputs) {
  const ProblemData& first = inputs.first();
  std::string key = first.request().key();
  for (std::size_t i = 0; i < first.question().outputs.size(); ++i)
    key += limits_text(first.output_view(i, environment));
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(key, check_contract(kernel_, environment, first, inputs.other()).remarks)
      .first->second;
}

std::string untested_reason(const std::vector<ContractRemark>& remarks) {
  const ContractRemark& first = remarks.front();
  const std::size_t more = remarks.size() - 1;
  return fmt::format(
      "{}{}; a strict contract refuses that: {}, or say on which problems it is right with "
      "`accepts: {{{}: CONDITION}}`",
      describe(first), more == 0 ? "" : fmt::format(" (and {} more like it)", more),
      first.code == RemarkCode::kInputUnused
          ? "give the input a fill that decides the result"
          : "give the output a smaller tolerance, or inputs that decide it",
      remark_code_name(first.code));
}

}  // namespace warpwright
