// Finds the instructions of a module that make threads or memory wait, and leaves some of them out.
//
// A site is what one place of the source compiles to: instructions of one opcode whose line, column
// and inlined calls are the same. Two halves that only make sense together are one site: the
// arrivals and waits of a barrier of clusters, and the bar.arrive and bar.sync of a named barrier
// whose number is a constant. Barriers that compute something (bar.red) are not sites, because
// other instructions use their result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/sync_site.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// In the order of the PTX, without those in entries other than the given ones.
[[nodiscard]] std::vector<SyncSite> sync_sites(const ParsedModule& module,
                                               std::span<const std::string> entries);

// Marks the statements of the site (Statement::left_out) in all functions.
void leave_out(const SyncSite& site, ParsedModule& module);

}  // namespace warpwright::emu
