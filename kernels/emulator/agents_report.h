// SPDX-License-Identifier: GPL-3.0-or-later
// How agents report: as their block does. Included by the sources of Agents only, for it needs the
// whole of Block.
#pragma once

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {

template <class Event>
void Agents::report(const Event& e) const {
  block_.report(e);
}

}  // namespace tileloom::emulator
