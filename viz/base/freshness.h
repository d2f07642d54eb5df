// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a value is of this session, of an earlier one, or out of date.
#pragma once

namespace tileloom {

// Where a value comes from; each has its own look, so that they are never mixed up: measured in
// this session, measured on another day or machine and shipped, or no longer true for the present
// state (another device, another source of the stage).
enum class Freshness { Live, Recorded, Stale };

}  // namespace tileloom
