// SPDX-License-Identifier: GPL-3.0-or-later
// A word of a memory as a sentence for screen readers: in its bank, and on the memory path.
#pragma once

#include <QString>

#include "kernels/analysis/memory/memory_path.h"
#include "viz/base/scene.h"

namespace tileloom {

// "As word 345, bank 25, holds A[12][7], read by lanes 0 to 3, wavefront 1" for a shared access;
// for a global one, the element and its place in the 128-byte line.
QString describeBankCell(const Scene& scene, std::uint32_t word);

// One value at its place on the memory path: "registers of lane 5, value 2 of 4: A[12][7], …".
QString describePathCell(const Scene& scene, const analysis::MemoryPath& path,
                         analysis::MemoryPath::Station station,
                         const analysis::MemoryPath::Value& value);

}  // namespace tileloom
