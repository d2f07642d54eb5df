// SPDX-License-Identifier: GPL-3.0-or-later
// Listings for tests: as disassemblers printed them, and made by hand.
#pragma once

#include <QFile>
#include <QString>
#include <QtTest>
#include <string>
#include <vector>

#include "kernels/sass/machine_code.h"

namespace tileloom::test {

inline std::string fixture(const QString& name) {
  QFile file(QStringLiteral(TILELOOM_FIXTURES "/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", qPrintable(name));
  return file.readAll().toStdString();
}

// Of a source with a token on each of its lines: a place is the number of its line.
inline const CodePlaces& linesAsPlaces() {
  static const CodePlaces all{std::vector<int>(1000, 1)};
  return all;
}

// One instruction per line, as in recorded listings.
inline sass::Listing listingOf(std::string_view code) {
  auto listing = sass::parseCode(code, linesAsPlaces());
  if (!listing) qFatal("%s", listing.error().c_str());
  return *listing;
}

}  // namespace tileloom::test
