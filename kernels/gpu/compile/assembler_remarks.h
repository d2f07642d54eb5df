// SPDX-License-Identifier: GPL-3.0-or-later
// What the assembler says about wgmma. It never fails because of wgmma: it adds waits, or makes
// each wgmma wait for the previous one. The kernel is then correct but far too slow, and only the
// log shows it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tileloom::gpu {

// One sentence without a full stop for each remark in the log, in order and without duplicates. A
// remark of NVRTC 13.0 looks like "ptxas info    : (C7510) Potential Performance Loss: …". Other
// messages with a number from C7500 to C7599 are quoted.
std::vector<std::string> assemblerRemarks(std::string_view log);

}  // namespace tileloom::gpu
