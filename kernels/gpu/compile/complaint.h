// SPDX-License-Identifier: GPL-3.0-or-later
// Why a user's kernel could not be made machine code.
#pragma once

#include <string>

namespace tileloom::gpu {

struct Complaint {
  std::string sentence;  // one, without a full stop
  std::string file;      // with the first error; empty: it is not about a place in a file
  int line = 0;          // from 1
  std::string log;       // all that the compiler has said
};

}  // namespace tileloom::gpu
