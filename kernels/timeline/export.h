// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline for other programs: as a trace that chrome://tracing and Perfetto open, and as a table
// of spans. One cycle is written as one microsecond, the unit of that format.
#pragma once

#include <string>

#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// What a lane is called there: "warp 3", "A on its way, 1", "tensor core".
std::string laneTitle(const Lane& lane);
// "multiply-adds", "waits for copies".
std::string spanTitle(const Span& span);

// `name` says what was simulated. Sleeps are events, too; who ended them is an arrow. `measured`
// may be nullptr: the same, measured and aligned (alignedTo), as a process of its own, and what to
// say of it.
std::string chromeTrace(const Timeline& timeline, const std::string& name,
                        const Timeline* measured = nullptr, const std::string& caption = {});

// "lane,begin,end,what,k_tile,dot,line,first_instruction,instructions", a line per span. Of two
// block tiles also "tile", from 0, within which k_tile counts.
std::string spanTable(const Timeline& timeline);

}  // namespace tileloom::timeline
