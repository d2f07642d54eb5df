// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tileloom {

// "1 wavefront", "4 wavefronts": `one`, or `many` with %1 for the number.
inline QString counted(qlonglong n, const QString& one, const QString& many) {
  return n == 1 ? one : many.arg(n);
}

}  // namespace tileloom
