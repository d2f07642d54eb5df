// SPDX-License-Identifier: GPL-3.0-or-later
// Golden images in tests/viz/golden/.
//
// TILELOOM_RECORD_GOLDEN=1 overwrites them instead of comparing: look at each of them before
// keeping it. They have palettes of 256 colours, which `pngquant` makes (Debian package pngquant).
#pragma once

#include <QDir>
#include <QFont>
#include <QProcess>
#include <QtTest>

#include "tests/viz/image_compare.h"

namespace tileloom::test {

// Every machine that runs the tests has it: package fonts-dejavu-core.
inline QFont goldenFont() {
  QFont font;
  font.setFamily("DejaVu Sans");
  font.setPixelSize(12);
  return font;
}

inline void compareWithGolden(const QString& name, const QImage& actual) {
  const QString golden = QDir(TILELOOM_GOLDEN_DIR).filePath(name + ".png");
  if (qEnvironmentVariable("TILELOOM_RECORD_GOLDEN") == "1") {
    QVERIFY2(actual.save(golden, "PNG", 0), qPrintable(golden));  // 0: the smallest file
    QCOMPARE(QProcess::execute("pngquant", {"--force", "--ext", ".png", "--speed", "1", "--strip",
                                            "--nofs", "256", "--", golden}),
             0);
    qInfo("recorded %s", qPrintable(golden));
    return;
  }
  const QImage wanted(golden);
  QVERIFY2(!wanted.isNull(), qPrintable(golden + " cannot be read"));
  QCOMPARE(actual.size(), wanted.size());
  const Difference difference = compare(actual, wanted);
  if (difference.acceptable()) return;
  const QString kept = QDir(TILELOOM_ACTUAL_DIR).filePath(name + ".png");
  QDir().mkpath(TILELOOM_ACTUAL_DIR);
  actual.save(kept);
  QFAIL(qPrintable(QString("%1: %2 is what was painted; %3").arg(name, kept, difference.text())));
}

}  // namespace tileloom::test
