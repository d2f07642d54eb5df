// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that are found from the machine code alone: orders of parameters, shapes of blocks, ways
// of the grid, and kernels for which there is none.
#include "kernels/own/launch_search.h"

#include <QtTest>

#include "tests/executor/launched.h"
#include "tests/own/small_kernels.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class LaunchSearchTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  std::unique_ptr<executor::Launched> compiled_;

  static QString textOf(const Parameter& p) {
    if (p.kind == Parameter::Kind::Alpha) return "alpha";
    if (p.kind == Parameter::Kind::Beta) return "beta";
    return q(p.kind == Parameter::Kind::Matrix ? p.name : p.text);
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
    compiled_ = std::make_unique<executor::Launched>(*nvrtc_, kSmallKernels, "90");
  }

  void found_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("threads");
    QTest::addColumn<QString>("grid");
    QTest::newRow("square") << "square"
                            << "M N K alpha A B beta C"
                            << "16 16 1"
                            << "cdiv(N, 16), cdiv(M, 16), 1";
    QTest::newRow("one number for all tiles") << "numbered"
                                              << "C A B M N K"
                                              << "128 1 1"
                                              << "cdiv(M, 32) * cdiv(N, 64), 1, 1";
    QTest::newRow("strides") << "strides"
                             << "M N K alpha A K B N beta C N"
                             << "8 8 1"
                             << "cdiv(M, 8), cdiv(N, 8), 1";
  }
  void found() {
    QFETCH(QString, kernel);
    QFETCH(QString, parameters);
    QFETCH(QString, threads);
    QFETCH(QString, grid);
    const sass::Module& module = compiled_->module();
    const auto made = foundLaunch(module, *module.named(kernel.toStdString()));
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QStringList list, sides, blocks;
    for (const Parameter& each : made->file.parameters) list.append(textOf(each));
    for (const std::string& each : made->file.threads) sides.append(q(each));
    for (const std::string& each : made->file.grid) blocks.append(q(each));
    QCOMPARE(list.join(' '), parameters);
    QCOMPARE(sides.join(' '), threads);
    QCOMPARE(blocks.join(", "), grid);
    QVERIFY(made->check.right() && made->check.elements > 0);
    QVERIFY(launchFileFrom(own::textOf(made->file)).value() == made->file);
  }
  void notFound() {
    const sass::Module& module = compiled_->module();
    if (!test::briefly()) {
      const auto wrong = foundLaunch(module, *module.named("wrong"));
      QVERIFY(!wrong.has_value());
      QVERIFY2(q(wrong.error()).contains("no block adds all products of a tile of C"),
               wrong.error().c_str());
    }
    const auto adds = foundLaunch(module, *module.named("adds"));
    QVERIFY2(q(adds.error()).contains("after 0 tries: its parameters are not three pointers"),
             adds.error().c_str());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::LaunchSearchTest, Nothing)
#include "launch_search_test.moc"
