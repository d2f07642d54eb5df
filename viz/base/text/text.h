// SPDX-License-Identifier: GPL-3.0-or-later
// Converts the core's strings to Qt's.
#pragma once

#include <QFile>
#include <QString>
#include <filesystem>
#include <string_view>

#include "kernels/base/plain_text.h"

namespace tileloom {

inline QString toQString(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

// The file that a Qt dialog has named.
inline std::filesystem::path fileNamed(const QString& name) {
  return QFile::encodeName(name).toStdString();
}

// Its name, for use in quotes in a sentence.
inline QString shownFile(const QString& name) {
  return QString::fromStdString(quotableFile(fileNamed(name)));
}

}  // namespace tileloom
