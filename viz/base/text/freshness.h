// SPDX-License-Identifier: GPL-3.0-or-later
// Says whether a value is from this session, from an earlier one, or out of date.
#pragma once

namespace tileloom {

// The origin of a value. Live: measured in this session. Recorded: measured on another day or
// machine, and shipped. Stale: no longer valid (another device, another source of the stage). Each
// has its own look.
enum class Freshness { Live, Recorded, Stale };

}  // namespace tileloom
