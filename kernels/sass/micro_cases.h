// SPDX-License-Identifier: GPL-3.0-or-later
// The micro-cases on which the model of the register file is based (register_file.h).
#pragma once

#include <vector>

#include "kernels/sass/micro_case.h"

namespace tileloom::sass {

std::vector<MicroCase> microCases();

}  // namespace tileloom::sass
