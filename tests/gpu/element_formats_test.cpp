// SPDX-License-Identifier: GPL-3.0-or-later
// The trial rungs compile for the architectures that have their formats, without spills, with the
// shared memory that its family derives.
#include <QFile>
#include <QtTest>
#include <algorithm>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/derived.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/trial_stage.h"

namespace tileloom::gpu {

using test::q;

class ElementFormatsTest : public QObject {
  Q_OBJECT

 private slots:
  void compilesWithoutSpills_data() { test::addTrialRows(); }
  void compilesWithoutSpills() {
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP(qPrintable("NOT TESTED: " + q(nvrtc.error().text)));
    const test::Trial& trial = test::trialOfRow();
    const Format its = trial.format;
    const Stage stage = trial.stage(nullptr);
    QFile file(QStringLiteral(TILELOOM_SOURCE_DIR "/") + q(stage.file));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    const Subject subject{&stage, stage.standardTile(), its};
    int built = 0;
    for (const Architecture& arch : buildableFor(**nvrtc)) {
      const std::string why = whyNotFor(stage, its, arch);
      if (!why.empty()) {
        QVERIFY(std::tie(arch.major, arch.minor) < std::tie(rowOf(its).major, rowOf(its).minor));
        continue;
      }
      if (test::briefly() && built > 0) break;
      ++built;
      const auto output = (*nvrtc)->compile(text, std::string(stage.file), deviceFiles(),
                                            compileOptions(subject, arch.name));
      QVERIFY2(output.has_value(), output ? "" : output.error().text.c_str());
      const Resources resources = resourcesOf(output->log);
      const Derived derived = derive(stage, subject.tile);
      QCOMPARE(resources.spillStores, 0);
      QVERIFY(resources.registers >= derived.estimatedRegisters);
      QVERIFY(resources.registers <= launchedRegisters(stage, subject.tile));
      QVERIFY(resources.staticShared == derived.sharedBytes ||
              resources.staticShared == derived.sharedBytes + Architecture::kSharedReserved);
      qInfo("%s on %s: %d registers, estimated %d", rowOf(its).name.data(), arch.name.data(),
            resources.registers, derived.estimatedRegisters);
    }
    const bool known = std::ranges::any_of(buildableFor(**nvrtc), [&](const Architecture& arch) {
      return whyNotFor(stage, its, arch).empty();
    });
    if (!known) QSKIP("NOT TESTED: this NVRTC knows no architecture that has the format");
    QVERIFY(built > 0);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::ElementFormatsTest, Nothing)
#include "element_formats_test.moc"
