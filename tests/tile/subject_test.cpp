// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/subject.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class SubjectTest : public QObject {
  Q_OBJECT

 private slots:
  void aRungAndAFileAreTwoKernels() {
    const Stage& naive = test::stage("naive");
    const KernelRef none, rung(&naive), file(KernelFile{"00ff", "gemm"});
    QVERIFY(!none.known() && rung.known() && file.known());
    QVERIFY(rung.rung() == &naive && rung.file() == nullptr);
    QVERIFY(file.rung() == nullptr && file.file()->entry == "gemm");
    QVERIFY(rung != file && file != none && none == KernelRef(nullptr));
    // Files are the same if their bytes and their entries are.
    QVERIFY(file == KernelRef(KernelFile{"00ff", "gemm"}));
    QVERIFY(file != KernelRef(KernelFile{"00ff", "other"}));
    QVERIFY(file != KernelRef(KernelFile{"00fe", "gemm"}));
  }

  void theFormatIsAPart() {
    const Stage& mma = test::stage("mma");
    const Subject usual = standardSubject(mma);
    QVERIFY(usual.format == Format::Bf16 && usual.tile == mma.standardTile());
    QVERIFY(usual != (Subject{&mma, mma.standardTile(), Format::Fp16}));
    const TileShape other = usual.tile.with(Parameter::BM, 64);
    QVERIFY(usual.with(other) == usualSubject(mma, other));
  }

  void launchedOnAProblem() {
    const Subject subject = standardSubject(test::stage("naive"));
    const Launched one{subject, {64, 64, 64}};
    QVERIFY(one == (Launched{subject, {64, 64, 64}}) && one != (Launched{subject, {64, 64, 32}}));
    QVERIFY(one.subject() == subject);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SubjectTest, Nothing)
#include "subject_test.moc"
