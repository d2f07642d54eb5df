// SPDX-License-Identifier: GPL-3.0-or-later
// Executes loads, stores and copies.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void loadGlobal(Warp& warp, const Operation& o);
void storeGlobal(Warp& warp, const Operation& o);
void loadShared(Warp& warp, const Operation& o);
void storeShared(Warp& warp, const Operation& o);
void loadLocal(Warp& warp, const Operation& o);
void storeLocal(Warp& warp, const Operation& o);
void loadConstant(Warp& warp, const Operation& o);  // LDC with a register: `table` is the bank
void copyToShared(Warp& warp, const Operation& o);  // LDGSTS

}  // namespace tileloom::executor
