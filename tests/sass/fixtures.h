// SPDX-License-Identifier: GPL-3.0-or-later
// Listings for tests: as disassemblers printed them, and made by hand.
#pragma once

#include <QFile>
#include <QString>
#include <QtTest>
#include <string>

#include "kernels/sass/machine_code.h"

namespace tileloom::test {

inline std::string fixture(const QString& name) {
  QFile file(QStringLiteral(TILELOOM_FIXTURES "/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", qPrintable(name));
  return file.readAll().toStdString();
}

// Instructions a line, as recorded ones are kept.
inline sass::Listing listingOf(std::string_view code) {
  auto listing = sass::parseCode(code);
  if (!listing) qFatal("%s", listing.error().c_str());
  return *listing;
}

}  // namespace tileloom::test
