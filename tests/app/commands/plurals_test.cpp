// SPDX-License-Identifier: GPL-3.0-or-later
// One thing is named in the singular: "1 warp", not "1 warps". Launches so small that most counts
// are one.
#include <QRegularExpression>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class PluralsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void oneThing_data() {
    QTest::addColumn<QString>("command");
    QTest::newRow("occupancy") << "occupancy --threads 1 --registers 1 --shared 1";
    QTest::newRow("occupancy, none") << "occupancy --threads 1024 --registers 255 --shared 1";
    QTest::newRow("explain") << "explain naive --tile BLOCKSIZE=8 --size 1";
    QTest::newRow("explain, tensor") << "explain t9 --size 1";
    for (const char* rung : {"naive", "shared", "vectorized", "padded", "t1", "t8", "t13"}) {
      if (briefly() && std::string_view(rung) != "naive" && std::string_view(rung) != "t8")
        continue;
      const QString size = QString(" %1 --size 1x1x1").arg(rung);
      for (const char* command : {"trace", "why", "roofline", "timeline", "layout"}) {
        if (std::string_view(rung) == "naive" && std::string_view(command) == "layout") continue;
        QTest::addRow("%s %s", command, rung) << command + size;
      }
      if (rung[0] != 't') QTest::addRow("predict %s", rung) << "predict" + size;
    }
  }

  void oneThing() {
    QFETCH(const QString, command);
    const Said said = runTileloom(command.split(' '));
    const QString text = QString::fromUtf8(said.out + said.err);
    QVERIFY2(said.status == 0, qPrintable(text));
    // Not the end of a longer number, nor of a range or a fraction.
    static const QRegularExpression plural(
        "(?<![\\d.,x/-])(?<! to )(?<! of )\\b1 "
        "(?:K |block |measured |FMA )?(?:[a-z]+-[a-z]+ )?"
        "(blocks|tiles|warps|threads|lanes|registers|bytes|words|rows|columns|sectors|"
        "wavefronts|cycles|boxes|instructions|waves|parts|SMs|stages|steps|accesses|loads|stores)"
        "\\b");
    const auto found = plural.match(text);
    QVERIFY2(!found.hasMatch(), qPrintable(found.captured(0) + " in:\n" + text));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::PluralsTest, Nothing)
#include "plurals_test.moc"
