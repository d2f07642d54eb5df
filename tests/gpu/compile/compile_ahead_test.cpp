// SPDX-License-Identifier: GPL-3.0-or-later
// Other processes compile what will be needed, equally for the rungs of both ladders.
#include "kernels/gpu/compile/compile_ahead.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <iterator>
#include <memory>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

class CompileAheadTest : public QObject {
  Q_OBJECT
 private slots:
  // A rung is distinguished from the one with the same number on the other ladder.
  void bothLaddersAreCompiled() {
    const QTemporaryDir folder;
    qputenv("TILELOOM_CACHE", folder.path().toUtf8());
    test::Fake::use();
    CompileAhead ahead(2);
    QCOMPARE(ahead.processes(), std::size_t{2});
    for (const char* id : {"naive", "mma", "shared", "mmaring", "rewritten"}) {
      const Stage& stage = test::stage(id);
      std::vector<CompileAhead::Compiled> compiled;
      const auto taken = [&] {
        ahead.want({standardSubject(stage)}, defaultArchitecture());
        std::ranges::move(ahead.take(), std::back_inserter(compiled));
        return !compiled.empty();
      };
      QTRY_VERIFY2(taken(), id);
      QVERIFY2(compiled[0].rung() == &stage && !compiled[0].failed, id);
      const auto again = buildStage(**Nvrtc::load(), std::make_unique<BuildCache>().get(),
                                    standardSubject(stage), defaultArchitecture());
      QVERIFY(again && again->cached);
      // The fake's machine code has no loop that could be rewritten.
      QCOMPARE(compiled[0].asCompiled, stage.rewriter > 0);
      QCOMPARE(again->leftAsCompiled(), stage.rewriter > 0);
    }
    qunsetenv("TILELOOM_CACHE");
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::CompileAheadTest, Nothing)
#include "compile_ahead_test.moc"
