// Turns a .cu file whose comments say how it is launched into contracts that can be vetted, one for
// each launch comment.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "records/device_info.h"
#include "spec/kernel_spec.h"
#include "vet/comments/device_source.h"
#include "vet/vet_options.h"

namespace warpwright {

// True when the file has a launch comment, whether or not the comment is valid.
[[nodiscard]] bool has_launch_comment(const std::filesystem::path& source);

struct CommentSubjects {
  std::vector<KernelSpec> kernels;
  std::vector<LeftOut> left_out;  // code of the source and its headers, see require_whole()
};

// Returns the subjects selected by --case and --variant, with the values of --set. Throws Error
// (user) on comments that cannot be read or do not fit the kernels, and on a source that does not
// compile or that needs a header which was not found.
[[nodiscard]] CommentSubjects comment_subjects(const VetOptions& options, const DeviceInfo& device,
                                               const std::filesystem::path& common_headers,
                                               const CompileOne& compile);

}  // namespace warpwright
