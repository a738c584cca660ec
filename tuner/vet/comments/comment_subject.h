// A .cu file whose comments say how it is launched, as contracts that can be vetted: one for each
// launch comment.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "records/device_info.h"
#include "spec/kernel_spec.h"
#include "vet/comments/device_source.h"
#include "vet/vet.h"

namespace warpwright {

// True when the file has a launch comment, right or wrong.
[[nodiscard]] bool has_launch_comment(const std::filesystem::path& source);

struct CommentSubjects {
  std::vector<KernelSpec> kernels;
  std::vector<LeftOut> left_out;  // of their source and its headers, see require_whole()
};

// Those that --case and --variant leave, with --set's values. Throws Error (user) on comments that
// cannot be read or do not fit the kernels, and on a source that does not compile, or would not
// with a header that nobody has.
[[nodiscard]] CommentSubjects comment_subjects(const VetOptions& options, const DeviceInfo& device,
                                               const std::filesystem::path& common_headers,
                                               const CompileOne& compile);

}  // namespace warpwright
