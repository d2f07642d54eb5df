// SPDX-License-Identifier: GPL-3.0-or-later
// The core's words as Qt's.
#pragma once

#include <QString>
#include <string_view>

namespace tileloom {

inline QString toQString(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace tileloom
