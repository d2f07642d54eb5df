// SPDX-License-Identifier: GPL-3.0-or-later
// What tests ask of a rung's kind (kernels/tile/kinds.h).
#pragma once

#include "kernels/tile/stage.h"

namespace tileloom::test {

// Of a rung of the FP32 ladder.
inline const Simt& simt(const Stage& stage) {
  return std::get<Simt>(stage.kind);
}

inline bool fillsByFloat4(const Stage& stage) {
  const auto* kind = std::get_if<Simt>(&stage.kind);
  return kind != nullptr &&
         (kind->fill == Simt::Fill::Float4s || kind->fill == Simt::Fill::OneFloat4);
}

// Whether the threads that multiply one K tile fetch the next one meanwhile, without TMA.
inline bool fetchesAhead(const Stage& stage) {
  if (const auto* kind = std::get_if<Simt>(&stage.kind)) return kind->next != Simt::Next::No;
  const auto* kind = std::get_if<WarpMma>(&stage.kind);
  return kind != nullptr && kind->fill == WarpMma::Fill::Copied;
}

// Whether tiles of both A and B are filled by cp.async.
inline bool copiesAll(const Stage& stage) {
  if (const auto* kind = std::get_if<Simt>(&stage.kind)) return kind->next == Simt::Next::Copied;
  const auto* kind = std::get_if<WarpMma>(&stage.kind);
  return kind != nullptr && kind->fill == WarpMma::Fill::Copied;
}

}  // namespace tileloom::test
