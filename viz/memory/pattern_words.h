// SPDX-License-Identifier: GPL-3.0-or-later
// The words about an access pattern: its counts and its cells, as sentences.
#pragma once

#include <QString>
#include <cstdint>

#include "kernels/own/access_hint.h"
#include "kernels/own/access_pattern.h"

namespace tileloom {

// "8 wavefronts, 1 without conflicts. …"; of the pattern's first access.
QString patternVerdict(const own::AccessPattern& pattern);
// Which padding and swizzle would remove the conflicts; empty: there are none.
QString patternHint(const own::AccessPattern& pattern, const own::AccessHint& hint);
// "A load of shared memory, 4 bytes per lane"; with padding and swizzle.
QString patternWhat(const own::AccessPattern& pattern);
// The swizzle, in bytes, in all units that have it: "Swizzle<3,3,3> on elements = …".
QString swizzleInUnits(const analysis::Swizzle& bytes, std::uint32_t element);

// A lane of the first access: index, address, banks and wavefronts, or sector.
QString patternLane(const own::AccessPattern& pattern, std::uint32_t lane);

}  // namespace tileloom
