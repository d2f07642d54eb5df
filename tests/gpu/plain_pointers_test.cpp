// SPDX-License-Identifier: GPL-3.0-or-later
// The portability header costs nothing on the GPU: each stage compiles to the same code as the same
// kernel written by hand with plain pointers (tests/gpu/plain/).
#include <QFile>
#include <QtTest>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "kernels/gpu/compile/build.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/cubin_code.h"
#include "tests/support/kinds.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class PlainPointersTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Nvrtc> nvrtc_;
  std::map<std::string, std::pair<int, int>> same_;  // by stage: byte-identical, compared

  // How often each opcode occurs: instructions are 16 bytes, the low 12 bits say which.
  static std::map<int, int> mixOf(const std::string& code) {
    std::map<int, int> mix;
    for (std::size_t at = 0; at + 16 <= code.size(); at += 16) {
      std::uint64_t word = 0;
      std::memcpy(&word, code.data() + at, 8);
      ++mix[static_cast<int>(word & 0xfff)];
    }
    return mix;
  }

  struct Compiled {
    Resources resources;
    std::string code;
  };
  enum class Match { Identical, SameInstructions };

  // Without the changes to the machine code after compiling.
  static Compiled asCompiled(const Build& build) {
    if (!build.rewriting || !build.rewriting->done())
      return {build.resources, codeOf(build.cubin, build.rung()->id)};
    Resources resources = build.resources;
    resources.registers = build.rewriting->untouchedRegisters;
    return {resources, codeOf(build.rewriting->untouched, build.rung()->id)};
  }

  // The best match of any two.
  static std::optional<Match> matching(const std::vector<Compiled>& some,
                                       const std::vector<Compiled>& others) {
    std::optional<Match> best;
    for (const Compiled& one : some) {
      for (const Compiled& other : others) {
        if (one.resources != other.resources) continue;
        if (one.code == other.code) return Match::Identical;
        if (mixOf(one.code) == mixOf(other.code)) best = Match::SameInstructions;
      }
    }
    return best;
  }

  // The standard tile and two more that keep fragments in fours, as the plain kernels expect, or
  // with one of the wgmma widths that they have.
  static std::vector<TileShape> tilesOf(const Stage& stage) {
    test::Random random(7);
    std::vector<TileShape> tiles;
    for (const TileShape& tile : test::legalTiles(stage, 300, random)) {
      const bool fours = tile[Parameter::TM] % 4 == 0 && tile[Parameter::TN] % 4 == 0;
      const int threads = derive(stage, tile).threads;
      if (tiles.size() == 3) break;
      if (!test::fillsByFloat4(stage) || fours) {
        const bool boxes = stage.features().tma;
        const int width = tile[Parameter::BN];
        if (stage.features().warpgroupMma && width != 64 && width != 128 && width != 256) continue;
        if (!boxes && derive(stage, tile).sharedBytes > Architecture::kStaticShared) continue;
        // Neither tiny nor so large that the compilation takes long.
        if (!tiles.empty() && (threads < 64 || derive(stage, tile).results > 128)) continue;
        if (isLegal(stage, tile, *architectureNamed(boxes ? "sm_90" : "sm_80")))
          tiles.push_back(tile);
      }
    }
    return tiles;
  }

 private slots:
  void initTestCase() {
    auto loaded = Nvrtc::load();
    if (!loaded) QSKIP(qPrintable("NOT TESTED: " + q(loaded.error().text)));
    nvrtc_ = *loaded;
  }

  void theCodeIsThatOfPlainPointers_data() {
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("tile");
    QTest::addColumn<QByteArray>("arch");
    const auto all = everyStage();
    for (int s = 0; s < static_cast<int>(all.size()); ++s) {
      const Stage& stage = *all[static_cast<std::size_t>(s)];
      const int count = static_cast<int>(tilesOf(stage).size());
      if (count != 3) qFatal("too few tiles");
      for (int tile = 0; tile < (test::briefly() ? 1 : count); ++tile) {
        for (const char* arch : {"sm_80", "sm_90"}) {
          if (!canBeBuiltFor(stage, *architectureNamed(arch))) continue;
          // For an older architecture only the standard tile: compiling takes the time.
          if ((tile > 0 || test::briefly()) && std::strcmp(arch, "sm_90") != 0) continue;
          QTest::addRow("%s %s", test::toString(stage, tilesOf(stage)[std::size_t(tile)]).c_str(),
                        arch)
              << s << tile << QByteArray(arch);
        }
      }
    }
  }
  void theCodeIsThatOfPlainPointers() {
    QFETCH(int, stage);
    QFETCH(int, tile);
    QFETCH(QByteArray, arch);
    const Stage& its = *everyStage()[std::size_t(stage)];
    for (const Format format : its.formats) compare(its, tile, arch, format);
  }

 private:
  void compare(const Stage& stage, int tile, const QByteArray& arch, Format format) {
    const TileShape shape = tilesOf(stage)[std::size_t(tile)];

    QFile file(QStringLiteral(TILELOOM_PLAIN_KERNELS "/%1.cu").arg(q(stage.id)));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const std::string text = file.readAll().toStdString();
    QVERIFY2(text.find("#include") == std::string::npos, "it would not be by hand");
    // Seldom and without a pattern, NVRTC 13.0 generates other code from the same text (245
    // registers or 236, another order). Then both are compiled a few times more, and one match
    // between them is enough.
    std::vector<Compiled> ours, byHand;
    for (int attempt = 0; attempt < 4 && !matching(ours, byHand); ++attempt) {
      const auto build = buildStage(*nvrtc_, nullptr, {&stage, shape, format},
                                    *architectureNamed(arch.toStdString()), SourceLines::Left);
      QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
      const auto plain = nvrtc_->compile(
          text, "plain.cu", {}, compileOptions({&stage, shape, format}, arch.toStdString()));
      QVERIFY2(plain.has_value(), plain ? "" : plain.error().text.c_str());
      ours.push_back(asCompiled(*build));
      byHand.push_back({resourcesOf(plain->log), codeOf(plain->cubin, stage.id)});
      QVERIFY(ours.back().code.size() > 256 && ours.back().code.size() % 16 == 0);
    }
    const Compiled& last = byHand.back();
    const auto match = matching(ours, byHand);
    qInfo("%s, %zu instructions, %d registers, attempt %zu",
          !match                       ? "different"
          : *match == Match::Identical ? "byte-identical"
                                       : "another order, the same instructions",
          last.code.size() / 16, last.resources.registers, ours.size());
    auto& [equal, compared] = same_[std::string(stage.id)];
    equal += match == Match::Identical ? 1 : 0;
    ++compared;
    // Equal code may come in another order: seldom with the release that this was written with (see
    // cleanupTestCase); with others the frequency is unknown.
    QVERIFY2(match, qPrintable(QString("%1 registers and %2 instructions, by hand %3 and %4")
                                   .arg(ours.back().resources.registers)
                                   .arg(ours.back().code.size() / 16)
                                   .arg(last.resources.registers)
                                   .arg(last.code.size() / 16)));
  }

 private slots:

  // Different code is detected: the comparison is not empty.
  void anotherTileIsOtherCode() {
    const Stage& stage = test::stage("shared");
    const Architecture arch = *architectureNamed("sm_90");
    const auto one = buildStage(*nvrtc_, nullptr, standardSubject(stage), arch);
    const auto other =
        buildStage(*nvrtc_, nullptr, usualSubject(stage, {{Parameter::BLOCKSIZE, 16}}), arch);
    QVERIFY(one && other);
    QVERIFY(codeOf(one->cubin, "shared") != codeOf(other->cubin, "shared"));
    QVERIFY(mixOf(codeOf(one->cubin, "shared")) != mixOf(codeOf(other->cubin, "shared")));
    QVERIFY(codeOf(one->cubin, "naive").empty());
  }

  void cleanupTestCase() {
    int equal = 0, compared = 0;
    for (const auto& [stage, counts] : same_) {
      equal += counts.first;
      compared += counts.second;
      qInfo("%s: %d of %d cubins byte-identical to plain pointers", stage.c_str(), counts.first,
            counts.second);
    }
    if (compared > 50 && nvrtc_->version() == "13.0")
      QVERIFY2(20 * equal >= 19 * compared,
               qPrintable(QString("%1 of %2").arg(equal).arg(compared)));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::PlainPointersTest, EventLoop)
#include "plain_pointers_test.moc"
