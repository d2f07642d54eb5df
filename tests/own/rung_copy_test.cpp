// SPDX-License-Identifier: GPL-3.0-or-later
// Rungs as files of their own: each compiles alone, and its launch file gives a right C.
#include "kernels/own/rung_copy.h"

#include <QtTest>

#include "kernels/own/own_kernel.h"
#include "kernels/tile/parameters.h"
#include "tests/executor/launched.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class RungCopyTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void compilesAlone_data() {
    QTest::addColumn<QString>("id");
    const auto ids = test::briefly() ? std::vector<const char*>{"naive", "mma"}
                                     : std::vector<const char*>{"naive",      "coalesced", "shared",
                                                                "vectorized", "warptiled", "mma"};
    for (const char* id : ids) QTest::newRow(id) << id;
  }
  void compilesAlone() {
    QFETCH(QString, id);
    const Stage& rung = **stageNamed(id.toStdString());
    const auto copy = copyOfRung(standardSubject(rung));
    QVERIFY2(copy.has_value(), copy ? "" : copy.error().c_str());
    QVERIFY(copy->source.find("#include \"") == std::string::npos);
    executor::Launched compiled(*nvrtc_, copy->source.c_str(), "90");
    const auto module = std::make_shared<const sass::Module>(std::move(compiled.module()));
    const auto& kernel = module->kernels.front();
    const auto opened =
        openKernel({module, kernel.name, copy->launch, "copy.cu", {}, copy->source});
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().c_str());
    QVERIFY2((*opened)->check().right(), (*opened)->check().whyNot.c_str());
    QVERIFY(launchFileFrom(textOf(copy->launch)).value() == copy->launch);
  }

  void refused_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("words");
    QTest::newRow("parts") << "rewritten"
                           << "splits tiles along K";
    QTest::newRow("persistent") << "persistent"
                                << "is persistent";
  }
  void refused() {
    QFETCH(QString, id);
    QFETCH(QString, words);
    const auto rung = stageNamed(id.toStdString());
    if (!rung) QSKIP("no such rung");
    const auto copy = copyOfRung(standardSubject(**rung));
    QVERIFY2(!copy.has_value() && q(copy.error()).contains(words),
             copy ? "copied" : copy.error().c_str());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::RungCopyTest, Nothing)
#include "rung_copy_test.moc"
