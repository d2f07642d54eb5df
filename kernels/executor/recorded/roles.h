// SPDX-License-Identifier: GPL-3.0-or-later
// Which buffers of a launch are the matrices of C = A * B: those with the names A, B and C, if
// their sizes fit together and their elements are numbers of 32 or 16 bits.
#pragma once

#include <string>
#include <vector>

#include "kernels/executor/arguments.h"
#include "kernels/executor/recorded/origins.h"

namespace tileloom::executor::recorded {

struct Roles {
  std::vector<Role> each;  // A, B and C; empty: see whyNot
  std::string whyNot;      // one sentence without a full stop
};

Roles rolesOf(const Arguments& arguments);

}  // namespace tileloom::executor::recorded
