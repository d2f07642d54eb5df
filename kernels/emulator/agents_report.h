// SPDX-License-Identifier: GPL-3.0-or-later
// How agents report: as their block does. Included by the sources of Agents only, for it needs the
// whole of Block.
#pragma once

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// Inline: a wgmma asks for them at each word that it reads.
inline std::uint32_t Agents::thread() const {
  return block_.thread_;
}
inline Origin Agents::here(int line) const {
  return block_.here(line);
}
inline judges::Judges& Agents::judges() const {
  return block_.judges_;
}

template <class Event>
void Agents::report(const Event& e) const {
  block_.report(e);
}

}  // namespace tileloom::emulator
