// SPDX-License-Identifier: GPL-3.0-or-later
// What the assembler says about products of warpgroups. It never fails because of them: it adds
// waits, or makes each product wait for the one before, so that a kernel is right and far too slow,
// and the log alone tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tileloom::gpu {

// A sentence without a full stop for each remark of the log, in its order and each once. A remark
// of NVRTC 13.0 looks like "ptxas info    : (C7510) Potential Performance Loss: …"; whatever else
// has such a number from C7500 to C7599 is quoted.
std::vector<std::string> assemblerRemarks(std::string_view log);

}  // namespace tileloom::gpu
