// SPDX-License-Identifier: GPL-3.0-or-later
// The trace in words.
#pragma once

#include <QString>

#include "viz/base/scene.h"

namespace tileloom {

// "warp 2, line 61: 128-bit shared load of As, 4 wavefronts, no bank conflict"
QString describeMoment(const analysis::Moment& moment);

// "K tile 7 of 256 · dot index 5", or where the warp stands outside the loop.
QString describePosition(const Scene& scene);
// "K tile 7", where there is no room for more.
QString describePositionShortly(const Scene& scene);

// "shared load of As", of an access to memory.
QString describeAccess(const analysis::Moment& access);

// "K tile 2 · dot index 5: shared load of As", which two sides say that stand at different steps.
QString describeStep(const Scene& scene);

// "lane 13 of warp 2 owns 4 tiles of 8 × 4, 16 columns apart"
QString describeThread(const Scene& scene);

QString describeElement(const analysis::Element& element);  // "A[12][7]"

// The part `part` of K, each `step` deep, of a rung without K tiles: "k = 32 to 63". The last one
// ends with K: "k = 32" where K is 33. 0 for `k`: it is not known.
QString describePartOfK(std::uint32_t part, std::uint32_t step, std::uint32_t k);

// "1 wavefront", "4 wavefronts": `one` and `many` with %1 for the number.
QString counted(qlonglong n, const QString& one, const QString& many);

// The paragraph that a stage opens with: its leading comment without the rung's title.
QString openingParagraph(const Stage& stage);

// What is selected, in one line; empty when nothing is.
QString describeSelection(const Scene& scene);

}  // namespace tileloom
