// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the recorded instructions, positions and selections in words.
#pragma once

#include <QString>

#include "viz/base/scene.h"
#include "viz/base/text/counted.h"

namespace tileloom {

// "warp 2, line 61: 128-bit shared load of As, 4 wavefronts, no bank conflict"
QString describeMoment(const analysis::Moment& moment);

// "K tile 7 of 256 · k = 5"; outside the loop "prologue · …" or "epilogue · …".
QString describePosition(const Scene& scene);
// "K tile 7", for little room.
QString describePositionShortly(const Scene& scene);

// "shared load of As", of an access to memory.
QString describeAccess(const analysis::Moment& access);

// "K tile 2 · k = 5: shared load of As", for two sides that are at different steps.
QString describeStep(const Scene& scene);

// "lane 13 of warp 2 owns 4 subtiles of 8 × 4, 16 columns apart"
QString describeThread(const Scene& scene);

QString describeElement(const analysis::Element& element);  // "A[12][7]"

// Part `part` of K, `step` deep, of a rung without K tiles: "k = 32 to 63". The last part ends with
// K: "k = 32" if K is 33. `k` 0: unknown.
QString describePartOfK(std::uint32_t part, std::uint32_t step, std::uint32_t k);

// The leading comment of a stage's source, without the rung's title.
QString openingParagraph(const Stage& stage);

// The selection in one line; empty: nothing is selected.
QString describeSelection(const Scene& scene);

}  // namespace tileloom
