// SPDX-License-Identifier: GPL-3.0-or-later
// What each warp waits for when none can go on, as parts of a sentence.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "kernels/executor/memory.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

// "warp 1 waits for ever for the end of phase 0 of the mbarrier at 0x500: 1 arrival and 0 bytes are
// missing"; empty: it does not wait. `warps`: all of its block.
std::string waitText(const Warp& warp, std::span<const std::unique_ptr<Warp>> warps,
                     BlockMemory& memory);
// "; warps 0 to 2 have ended, and warp 3 waits at barrier 1"; empty: the block has no other warp.
std::string othersText(const Warp& warp, std::span<const std::unique_ptr<Warp>> warps);

}  // namespace tileloom::executor
