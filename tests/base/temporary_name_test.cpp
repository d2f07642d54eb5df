// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/temporary_name.h"

#include <stdlib.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <string>

#include "tests/support/test_class.h"

namespace tileloom {

class TemporaryNameTest : public QObject {
  Q_OBJECT

 private slots:
  // Names that mkstemp and Qt make from the pattern are recognised, and no others.
  void namesAreKnown() {
    const QTemporaryDir folder;
    const std::string place = folder.path().toStdString() + '/';
    for (int i = 0; i < 20; ++i) {
      std::string name = place + std::string(kTemporaryPattern);
      QVERIFY(::close(::mkstemp(name.data())) == 0);
      QVERIFY(isTemporaryName(std::string_view(name).substr(place.size())));
      const QTemporaryDir made(QString::fromStdString(place + std::string(kTemporaryPattern)));
      QVERIFY(isTemporaryName(std::string_view(made.path().toStdString()).substr(place.size())));
    }
    for (const char* other :
         {"", ".", ".tileloom", ".tileloom-", ".tileloom-abcde", ".tileloom-abcdefg",
          ".tileloom-abc.ef", ".tileloom-abc/ef", ".tileloom-abc ef", "tileloom-abcdef",
          ".Tileloom-abcdef", ".bashrc", "x.tileloom-abcdef",
          ".tileloom-ab\xff"
          "def"})
      QVERIFY2(!isTemporaryName(other), other);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TemporaryNameTest, Nothing)
#include "temporary_name_test.moc"
