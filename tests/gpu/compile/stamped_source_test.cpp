// SPDX-License-Identifier: GPL-3.0-or-later
// Timestamped kernels: what is added to their source, which operations are timestamped, and, if
// NVRTC is found, that timestamps make no kernel spill and leave the same number of blocks on an
// SM.
#include "kernels/gpu/compile/stamped_source.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/stamp_words.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class StampedSourceTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Nvrtc> nvrtc_;

  // The operations that stamps.cuh timestamps: "#define wait(…) TILELOOM_STAMPED…(wait, …".
  static QStringList stampedNames() {
    static const QRegularExpression kStamp(
        QStringLiteral(R"(^#define (\w+)\([^)]*\) TILELOOM_STAMPED(?:_COUNT|_LATE)?\((\w+),)"),
        QRegularExpression::MultilineOption);
    QStringList names;
    for (auto it = kStamp.globalMatch(q(stampsFile())); it.hasNext();) {
      const auto match = it.next();
      if (match.captured(1) == QStringLiteral("TILELOOM_STAMPED")) continue;
      names += match.captured(1);
      if (match.captured(1) != match.captured(2)) qFatal("a stamp has another word's number");
    }
    return names;
  }

 private slots:
  void everySourceHasAPlace_data() {
    QTest::addColumn<int>("stage");
    for (int i = 0; i < int(everyStage().size()); ++i)
      QTest::addRow("%s", qPrintable(q(everyStage()[std::size_t(i)]->id))) << i;
  }
  void everySourceHasAPlace() {
    QFETCH(int, stage);
    const QString before = q(sourceText(*everyStage()[std::size_t(stage)]));
    const auto made = stampedSource(sourceText(*everyStage()[std::size_t(stage)]));
    QVERIFY2(made, made ? "" : made.error().text.c_str());
    // Without the additions it is the same text, and the following line has its number.
    QStringList lines = q(*made).split('\n');
    const qsizetype include =
        lines.indexOf(QStringLiteral("#include \"kernels/device/stamps.cuh\""));
    QVERIFY(include > 0);
    QCOMPARE(lines[include + 1], QStringLiteral("#line %1").arg(include + 1));
    lines.remove(include, 2);
    QCOMPARE(lines.filter(QStringLiteral("#include")).size(),
             before.count(QStringLiteral("#include")));
    QVERIFY(!lines.mid(include).join('\n').contains(QStringLiteral("#include")));
    QString text = lines.join('\n');
    QCOMPARE(text.count(QStringLiteral(") { TILELOOM_STAMPING;")), 1);
    text.remove(QStringLiteral(" TILELOOM_STAMPING;"));
    QCOMPARE(text, before);
  }

  void aSourceWithoutAPlaceIsRefused_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("empty") << QString();
    QTest::newRow("no include") << QStringLiteral("KERNEL(a, 32)\n(uint M) {\n}\n");
    QTest::newRow("no kernel") << QStringLiteral("//\n#include \"a\"\nvoid f() {\n}\n");
    QTest::newRow("in a sentence") << QStringLiteral("//\n#include \"a\"\n// a KERNEL() {\n");
    QTest::newRow("no body") << QStringLiteral("//\n#include \"a\"\nKERNEL(a, 32)\n(uint M)");
    QTest::newRow("ends behind its include") << QStringLiteral("//\n#include \"a\"");
  }
  void aSourceWithoutAPlaceIsRefused() {
    QFETCH(QString, source);
    const auto made = stampedSource(source.toStdString());
    QVERIFY(!made);
    QCOMPARE(test::sentenceFlaw(made.error().text), QString());
  }

  // Recorded runs have the hash of the source that was measured.
  void noStageIncludesTheStamps() {
    QVERIFY(!stampsFile().empty());
    for (const Stage* stage : everyStage())
      QVERIFY(sourceText(*stage).find("stamps.cuh") == std::string_view::npos);
    for (const SourceFile& file : deviceFiles())
      QVERIFY(file.text.find("stamps.cuh\"") == std::string_view::npos);
  }

  void everyStampedWordHasARowAndBack() {
    QStringList rows;
    for (const auto& word : timeline::stampWords()) rows += q(word.name);
    QStringList names = stampedNames();
    rows.sort(), names.sort();
    QCOMPARE(names, rows);
  }

  // Whatever instruction makes a warp wait: its operation is timestamped.
  void everyWordThatSleepsIsStamped() {
    static const QRegularExpression kName(
        QStringLiteral(R"((?:^#define |__forceinline__ \w+ )(\w+)\()"));
    static const QRegularExpression kSleeps(
        QStringLiteral(R"(try_wait|test_wait|wait_group|wait_all|bar\.sync|barrier\.sync|)"
                       R"(barrier\.cluster\.wait|setmaxnreg\.inc)"));
    const QStringList stamped = stampedNames();
    QVERIFY(stamped.contains(QStringLiteral("__syncthreads")));
    int found = 0;
    for (const SourceFile& file : deviceFiles()) {
      if (!file.name.starts_with("kernels/device/")) continue;
      QString name;
      for (const QString& line : q(file.text).split('\n')) {
        if (line.startsWith(QStringLiteral("//"))) continue;
        if (const auto match = kName.match(line); match.hasMatch()) name = match.captured(1);
        if (!line.contains(kSleeps)) continue;
        ++found;
        QVERIFY2(stamped.contains(name), qPrintable(name + QStringLiteral(" has no timestamp")));
      }
    }
    QVERIFY(found >= 3);
  }

  void aStampedBuildHasAKeyOfItsOwn() {
    test::Fake::use();
    const auto nvrtc = Nvrtc::load();
    QVERIFY(nvrtc);
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const Stage& stage = test::stage("async");
    const auto built = [&] {
      auto build = buildStage(**nvrtc, &cache, standardSubject(stage), defaultArchitecture());
      if (!build) qFatal("%s", build.error().text.c_str());
      return std::move(*build);
    };
    const auto stamped = [&](Stamping stamping = Stamping::Records) {
      auto build = buildStamped(**nvrtc, &cache, built(), defaultArchitecture(), stamping);
      if (!build) qFatal("%s", build.error().text.c_str());
      return std::move(*build);
    };
    QVERIFY(!built().cached);
    const Build first = stamped();
    QVERIFY(!first.cached);
    QVERIFY(first.stamping == Stamping::Records);
    QCOMPARE(first.fingerprint, fingerprintOf(stage));
    QVERIFY(stamped().cached);
    QVERIFY(built().cached);
    QVERIFY(!built().stamping);
    const Build sums = stamped(Stamping::Sums);
    QVERIFY(!sums.cached);
    QVERIFY(sums.stamping == Stamping::Sums);
    qunsetenv("TILELOOM_NVRTC");
  }

  void stampingMakesNoKernelSpill_data() {
    QTest::addColumn<int>("stage");
    const auto all = everyStage();
    // NVIDIA's compiler takes nearly all of the time, and sanitizers do not look into it.
    for (std::size_t i = 0; i < all.size(); i += test::briefly() ? 4 : 1)
      QTest::addRow("%s", qPrintable(q(all[i]->id))) << int(i);
    if (auto loaded = Nvrtc::load()) nvrtc_ = *loaded;
  }
  void stampingMakesNoKernelSpill() {
    QFETCH(int, stage);
    if (!nvrtc_) QSKIP("NOT TESTED: NVRTC is not here");
    const Stage& s = *everyStage()[std::size_t(stage)];
    const auto plain = buildStage(*nvrtc_, nullptr, standardSubject(s), defaultArchitecture());
    QVERIFY2(plain, plain ? "" : plain.error().text.c_str());
    const auto stamped = buildStamped(*nvrtc_, nullptr, *plain, defaultArchitecture());
    QVERIFY2(stamped, stamped ? "" : stamped.error().text.c_str());
    // T13 has 192 registers for accumulators and finished sums, and none to spare.
    QVERIFY(stamped->resources.spillStores <= (s.id == "hopper" ? 8 : 0));
    QVERIFY(stamped->resources.spillLoads <= (s.id == "hopper" ? 20 : 0));
    QCOMPARE(stamped->remarks.size(), plain->remarks.size());
    QCOMPARE(stamped->resources.staticShared, plain->resources.staticShared);
    QCOMPARE(stamped->dynamicShared, plain->dynamicShared);
    const auto blocks = [&](const Build& build) {
      const Derived d = derive(s, s.standardTile());
      const auto needs = analysis::BlockNeeds{d.threads, build.resources.registers, d.sharedBytes};
      return analysis::occupancy(defaultArchitecture(), needs).blocks;
    };
    // The launch prevents more of them by requesting shared memory. With as many as without
    // timestamps, rung 4 would spill.
    QVERIFY(blocks(*stamped) >= blocks(*plain) - (s.id == "blocktile1d" ? 1 : 0));
    qInfo("%d registers, %d with stamps; %d blocks per SM, %d", plain->resources.registers,
          stamped->resources.registers, blocks(*plain), blocks(*stamped));
    // Sums need no more than records.
    const auto summed =
        buildStamped(*nvrtc_, nullptr, *plain, defaultArchitecture(), Stamping::Sums);
    QVERIFY2(summed, summed ? "" : summed.error().text.c_str());
    QCOMPARE(summed->resources.spillStores, 0);
    QCOMPARE(summed->remarks.size(), plain->remarks.size());
    QVERIFY(blocks(*summed) >= blocks(*plain) - (s.id == "blocktile1d" ? 1 : 0));
    QVERIFY(summed->cubin != stamped->cubin);
    // Rungs 1 and 2 have no operation that is timestamped.
    if (s.ladder == Ladder::Tensor || s.rung > 2) QVERIFY(stamped->cubin != plain->cubin);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::StampedSourceTest, Nothing)
#include "stamped_source_test.moc"
