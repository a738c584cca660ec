// For tests that write into a results database behind its back.
#pragma once

namespace warpwright::testing {

// As if every row were of a warpwright from before checksums, so that edits of them pass for
// theirs.
inline constexpr const char* kForgetChecksums =
    "UPDATE device SET checksum = NULL; UPDATE kernel SET checksum = NULL;"
    "UPDATE problem SET checksum = NULL; UPDATE configuration SET checksum = NULL;"
    "UPDATE run SET checksum = NULL; UPDATE trial SET checksum = NULL;"
    "UPDATE sample SET checksum = NULL; UPDATE ceiling SET checksum = NULL;"
    "UPDATE kernel_source SET checksum = NULL; UPDATE contract_check SET checksum = NULL;"
    "UPDATE ranking SET checksum = NULL; UPDATE ranking_entry SET checksum = NULL;";

}  // namespace warpwright::testing
