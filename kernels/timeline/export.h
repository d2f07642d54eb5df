// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline for other programs: as a trace for chrome://tracing and Perfetto, and as a table of
// spans. One cycle is written as one microsecond, the unit of that format.
#pragma once

#include <string>

#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// The name of a lane: "warp 3", "A in flight, 1", "tensor core".
std::string laneTitle(const Lane& lane);
// "multiply-adds", "waits for copies".
std::string spanTitle(const Span& span);

// `name` says what was simulated. Waits are also events; an arrow shows what ended them. `measured`
// may be nullptr; otherwise it is the measured timeline, aligned (alignedTo), which becomes a
// separate process with `caption`.
std::string chromeTrace(const Timeline& timeline, const std::string& name,
                        const Timeline* measured = nullptr, const std::string& caption = {});

// "lane,begin,end,what,k_tile,dot,line,first_instruction,instructions", one line per span. With two
// block tiles also "tile", from 0, within which k_tile counts.
std::string spanTable(const Timeline& timeline);

}  // namespace tileloom::timeline
