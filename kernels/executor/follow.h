// SPDX-License-Identifier: GPL-3.0-or-later
// How the origins of values pass through an instruction.
#pragma once

#include "kernels/executor/translator.h"

namespace tileloom::executor {

// Sets `follow` and `written` of an operation whose operands have their places.
void followResult(const Translator& t, Operation& o);

}  // namespace tileloom::executor
