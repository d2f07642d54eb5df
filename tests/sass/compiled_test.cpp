// SPDX-License-Identifier: GPL-3.0-or-later
// Compares NVRTC's code for each stage's default tile with what nvdisasm once printed for the same:
// the main loop's length, each instruction, its live registers and its source line. Compiling takes
// the time, so one compilation serves all.
#include <QtTest>
#include <algorithm>

#include "kernels/gpu/compile/build.h"
#include "kernels/sass/decode.h"
#include "kernels/sass/mix.h"
#include "kernels/sass/read_listing.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class CompiledTest : public QObject {
  Q_OBJECT

  struct Compiled {
    const Stage* stage = nullptr;
    MachineCode recorded;
    gpu::Build build;
    QString said;
  };
  std::vector<Compiled> all_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    for (const Stage* stage : everyStage()) {
      for (const std::string& arch : recordedArchitectures(*stage)) {
        auto recorded = recordedListing(standardSubject(*stage), arch);
        if (!recorded || recorded->nvrtc != (*nvrtc)->version()) continue;
        auto build = gpu::buildStage(**nvrtc, nullptr, standardSubject(*stage),
                                     *architectureNamed(arch), gpu::SourceLines::Kept);
        if (!build) continue;  // this NVRTC knows other architectures
        const QString said = q(stage->id) + " " + q(arch);
        all_.push_back({stage, std::move(*recorded), std::move(*build), said});
      }
    }
    if (all_.empty()) QSKIP("the recorded listings are of another NVRTC");
  }

  void theLoopsAreAsLong() {
    int equal = 0;
    for (const Compiled& each : all_) {
      const Listing& listing = each.recorded.listing;
      const LoopSize& loop = each.build.loop;
      const Mix mix = mixOf(listing, mainLoop(listing).range);
      const LoopSize listed{mix.total, mix.of(Class::Ffma), mix.of(Class::Hmma),
                            mix.of(Class::Hgmma)};
      // Patch versions of NVRTC, which it does not report, move an instruction or two.
      QVERIFY2(
          loop.ffmas == listed.ffmas && loop.hmmas == listed.hmmas &&
              loop.hgmmas == listed.hgmmas &&
              std::abs(loop.instructions - listed.instructions) <= 2,
          qPrintable(
              QString("%1: %2 with %3").arg(each.said).arg(loop.instructions).arg(loop.ffmas)));
      equal += loop == listed ? 1 : 0;
    }
    QVERIFY2(10 * equal >= 9 * int(all_.size()), qPrintable(QString::number(equal)));
  }

  // Each instruction of each kernel is known, and is written back as the same bits.
  void eachInstructionIsKnown() {
    for (const Compiled& each : all_) {
      const auto cubin = readCubin(each.build.cubin);
      QVERIFY2(cubin.has_value(), qPrintable(q(cubin ? "" : cubin.error())));
      QCOMPARE(q(cubin->kernel), q(each.stage->id));
      QCOMPARE(cubin->registers, each.build.resources.registers);
      if (each.build.dynamicShared == 0)
        QVERIFY(cubin->sharedBytes >= each.build.resources.staticShared);
      std::uint32_t address = 0;
      for (const CodeWord& word : cubin->words) {
        const auto d = decode(word, address, cubin->capability);
        QVERIFY2(d.has_value(), qPrintable(each.said + ": " + q(d ? "" : d.error())));
        const auto back = encode(*d);
        QVERIFY2(back.has_value() && *back == word, qPrintable(each.said + ": " + q(d->text())));
        address += kCodeWordBytes;
      }
      QVERIFY(withCode(each.build.cubin, cubin->words, cubin->registers) == each.build.cubin);
    }
  }

  void theTextIsNvdisasms() {
    int compared = 0, equal = 0;
    for (const Compiled& each : all_) {
      if (each.recorded.stale()) continue;
      const auto cubin = readCubin(each.build.cubin);
      QVERIFY(cubin.has_value());
      const auto listing = listingOf(*cubin);
      QVERIFY2(listing.has_value(), qPrintable(q(listing ? "" : listing.error())));
      QCOMPARE(q(listing->kernel), q(each.recorded.listing.kernel));
      equal += std::ranges::equal(listing->instructions, each.recorded.listing.instructions,
                                  [](const sass::Instruction& a, const sass::Instruction& b) {
                                    return a.text() == b.text() && a.address == b.address &&
                                           a.target == b.target;
                                  })
                   ? 1
                   : 0;
      ++compared;
    }
    if (compared == 0) QSKIP("the sources have changed since their listings were recorded");
    // Patch versions of NVRTC move an instruction or two.
    QVERIFY2(10 * equal >= 9 * compared, qPrintable(QString("%1 of %2").arg(equal).arg(compared)));
  }

  // The whole listing as this program reads it.
  void liveRegistersAndLinesAreNvdisasms() {
    int kernels = 0, instructions = 0, otherLines = 0;
    for (const Compiled& each : all_) {
      if (each.recorded.stale()) continue;
      auto listing = readListing(each.build.cubin);
      QVERIFY2(listing.has_value(), qPrintable(q(listing ? "" : listing.error())));
      if (each.build.rewriting && each.build.rewriting->done()) {
        const auto before = readListing(each.build.rewriting->untouched);
        QVERIFY(before.has_value());
        takeLines(*listing, *before, each.build.rewriting->origins);
      }
      const auto& ours = listing->instructions;
      const auto& theirs = each.recorded.listing.instructions;
      // Another patch version of NVRTC.
      if (!std::ranges::equal(ours, theirs, {}, &sass::Instruction::text, &sass::Instruction::text))
        continue;
      ++kernels;
      int other = 0;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        QVERIFY2(ours[i].live == theirs[i].live,
                 qPrintable(QString("%1 %2 %3: %4 live registers instead of %5")
                                .arg(each.said)
                                .arg(ours[i].address, 4, 16, QChar('0'))
                                .arg(q(ours[i].text()))
                                .arg(ours[i].live.value_or(-1))
                                .arg(theirs[i].live.value_or(-1))));
        QVERIFY2(ours[i].line > 0 || theirs[i].line == 0, qPrintable(each.said));
        other += ours[i].line != theirs[i].line ? 1 : 0;
      }
      QVERIFY2(6 * other <= int(ours.size()),
               qPrintable(QString("%1: %2 other lines").arg(each.said).arg(other)));
      instructions += int(ours.size());
      otherLines += other;
    }
    if (kernels == 0) QSKIP("the sources or the compiler have changed since the recording");
    // nvdisasm names a line only where the innermost one changes, and the recordings are of sources
    // with other comments, for which NVRTC merges other lines.
    QVERIFY2(50 * otherLines <= instructions,
             qPrintable(QString("%1 of %2").arg(otherLines).arg(instructions)));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CompiledTest, EventLoop)
#include "compiled_test.moc"
