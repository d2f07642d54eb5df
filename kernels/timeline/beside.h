// SPDX-License-Identifier: GPL-3.0-or-later
// The timestamps of one block, beside the predicted timeline of the same tile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/timeline/operation.h"
#include "kernels/timeline/recorded/measured.h"
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// One sentence without a full stop if the kernel's source has changed since the timestamps were
// taken; else nothing.
std::string whyStale(const Measured& measured);
// The remark that belongs to these timestamps: that they are stale, or that they are of the kernel
// as compiled, because a timestamped main loop is not rewritten.
std::string remarkOn(const Measured& measured);

struct Beside {
  Measured measured;  // without the timestamps themselves, which `whole` shows
  Timeline whole;     // from the block's earliest timestamp to its last
  Timeline aligned;   // over the predicted timeline's time
  // The measured K tile `tile` begins in `aligned` where the predicted one's `under` does.
  std::uint32_t tile = 0, under = 0;
  std::optional<Comparison> comparison;  // none: K is too short for its K tiles to repeat
  std::string remark;                    // remarkOn()
};

// `program` and `predicted` are of the timestamps' stage and tile. The predicted K tile at which
// the steady state begins is aligned with the same measured one or with `tile`; with two block
// tiles (measured_seam.h) it is the last K tile of the first one. The error is a sentence without a
// full stop.
tl::expected<Beside, std::string> beside(Measured measured, const BlockProgram& program,
                                         const Timeline& predicted,
                                         std::optional<std::uint32_t> tile = std::nullopt);

}  // namespace tileloom::timeline
