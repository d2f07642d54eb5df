// SPDX-License-Identifier: GPL-3.0-or-later
// The timestamps that ship inside the executable: one block of each rung with asynchronous copies
// or tensor cores, at its default tile, on an H100.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/base/embedded_file.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::timeline {

// The files of resources/timelines/, "h100-async.json": a device and the id of a stage. `tileloom
// timeline STAGE --measure FILE` writes them.
std::span<const EmbeddedFile> stampFiles();

// Those of exactly this subject and architecture ("sm_90"); of this problem, or of
// another one if there are none. std::nullopt: there are none. Only files of this stage are read; a
// test checks that none is broken.
std::optional<Measured> shippedStamps(const Subject& subject, const Problem& problem,
                                      std::string_view arch);
// The same from given files.
std::optional<Measured> findStamps(std::span<const EmbeddedFile> files, const Subject& subject,
                                   const Problem& problem, std::string_view arch);

}  // namespace tileloom::timeline
