// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the bank view and the memory path on an access, as values: painters only draw them.
#pragma once

#include <QString>

#include "kernels/analysis/memory/memory_path.h"
#include "viz/base/scene.h"

namespace tileloom {

enum class Tone { Plain, Good, Trouble };

struct AccessVerdict {
  QString text;
  Tone tone = Tone::Plain;
  QString brief = {};  // a shorter version; may be empty
  bool operator==(const AccessVerdict&) const = default;
};

// "latest access: warp 2, line 61: …": the shown access, which is an earlier one if the present
// instruction accesses no memory.
QString accessTitle(const Scene& scene, const analysis::Moment& access);

// "8 wavefronts, 4 of them by bank conflicts (2-way)" or "16 sectors of 32 bytes for one request,
// the fewest possible": what the access costs, and why.
AccessVerdict accessVerdict(const analysis::Moment& access);

// "all loads of this k: 32 of A + 1 of B = 33 sectors": what a step along K costs a kernel that
// multiplies straight from global memory; empty for other accesses. One load alone may be cheaper
// in the slower kernel.
QString sectorsOfK(const analysis::Recording& recording, const analysis::Moment& access);

// What a station of the memory path is, and what this access costs there.
QString stationName(analysis::MemoryPath::Station station);
AccessVerdict stationVerdict(const analysis::MemoryPath& path,
                             analysis::MemoryPath::Station station, const analysis::Moment& access);
// A remark on the path as a whole; may be empty.
QString pathNote(const analysis::MemoryPath& path);

}  // namespace tileloom
