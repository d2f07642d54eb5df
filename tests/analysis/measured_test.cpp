// SPDX-License-Identifier: GPL-3.0-or-later
// What an H100's counters said of single warp instructions, against the model: 26 address patterns,
// each as 128-, 64- and 32-bit shared loads, 128- and 64-bit shared stores and wide global loads.
// Measured 2026-11-21 on an H100 80GB HBM3 with ncu, one warp a launch; the counters' names are in
// totals.h.
#include <QtTest>
#include <vector>

#include "tests/support/test_class.h"

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"

using namespace tileloom::analysis;

namespace {

struct Counted {
  std::uint32_t wavefronts;
  std::uint32_t conflicts;
};

struct Pattern {
  const char* name;
  std::uint32_t (*address)(std::uint32_t lane);  // in floats, for the 128-bit access
  Counted load128, store128, load64, store64, load32;
  std::uint32_t sectors128, sectors64;
};

const std::vector<Pattern> kPatterns = {
    {"all-same",
     [](std::uint32_t) -> std::uint32_t { return 0; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     1,
     1},
    {"contig",
     [](std::uint32_t l) -> std::uint32_t { return l * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     16,
     8},
    {"pair1",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 1) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"pair2",
     [](std::uint32_t l) -> std::uint32_t { return ((l >> 2) * 2 + (l & 1)) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"pair4",
     [](std::uint32_t l) -> std::uint32_t { return ((l >> 3) * 4 + (l & 3)) * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"pair8",
     [](std::uint32_t l) -> std::uint32_t { return ((l >> 4) * 8 + (l & 7)) * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"pair16",
     [](std::uint32_t l) -> std::uint32_t { return (l & 15) * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"quad(l>>2)",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 2) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     4,
     2},
    {"oct(l>>3)",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 3) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     2,
     1},
    {"half(l>>4)",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 4) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     1,
     1},
    {"rep4(l&3)",
     [](std::uint32_t l) -> std::uint32_t { return (l & 3) * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     2,
     1},
    {"rep8(l&7)",
     [](std::uint32_t l) -> std::uint32_t { return (l & 7) * 4; },
     {4, 0},
     {4, 0},
     {2, 0},
     {2, 0},
     {1, 0},
     4,
     2},
    {"stride8",
     [](std::uint32_t l) -> std::uint32_t { return l * 8; },
     {8, 4},
     {8, 4},
     {4, 2},
     {4, 2},
     {2, 1},
     32,
     16},
    {"stride8 rep16",
     [](std::uint32_t l) -> std::uint32_t { return (l & 15) * 8; },
     {8, 4},
     {8, 4},
     {4, 2},
     {4, 2},
     {1, 0},
     16,
     8},
    {"stride32",
     [](std::uint32_t l) -> std::uint32_t { return l * 32; },
     {32, 28},
     {32, 28},
     {16, 14},
     {16, 14},
     {8, 7},
     32,
     32},
    {"pair1 stride8",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 1) * 8; },
     {4, 2},
     {4, 0},
     {2, 1},
     {2, 0},
     {1, 0},
     16,
     8},
    {"pair1 stride32",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 1) * 32; },
     {16, 14},
     {16, 12},
     {8, 7},
     {8, 6},
     {4, 3},
     16,
     16},
    {"pair2 stride8",
     [](std::uint32_t l) -> std::uint32_t { return ((l >> 2) * 2 + (l & 1)) * 8; },
     {4, 2},
     {4, 0},
     {2, 1},
     {2, 0},
     {1, 0},
     16,
     8},
    {"pair1 not lane0",
     [](std::uint32_t l) -> std::uint32_t { return l == 0 ? 200 : (l >> 1) * 4; },
     {5, 1},
     {5, 1},
     {3, 1},
     {3, 1},
     {1, 0},
     9,
     5},
    {"quad stride8",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 2) * 8; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"pair1 q-alt",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 1) * 4 + ((l >> 3) & 1) * 32; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     8,
     4},
    {"(l&3)*4+(l>>2)*128",
     [](std::uint32_t l) -> std::uint32_t { return (l & 3) * 4 + (l >> 2) * 128; },
     {8, 4},
     {8, 4},
     {8, 6},
     {8, 6},
     {8, 7},
     16,
     8},
    {"quad stride32",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 2) * 32; },
     {8, 6},
     {8, 4},
     {4, 3},
     {4, 2},
     {2, 1},
     8,
     8},
    {"oct stride32",
     [](std::uint32_t l) -> std::uint32_t { return (l >> 3) * 32; },
     {4, 2},
     {4, 0},
     {2, 1},
     {2, 0},
     {1, 0},
     4,
     4},
    {"rep2(l&1)",
     [](std::uint32_t l) -> std::uint32_t { return (l & 1) * 4; },
     {2, 0},
     {4, 0},
     {1, 0},
     {2, 0},
     {1, 0},
     1,
     1},
    {"rep2 stride32",
     [](std::uint32_t l) -> std::uint32_t { return (l & 1) * 32; },
     {4, 2},
     {8, 4},
     {1, 0},
     {2, 0},
     {1, 0},
     2,
     2},
};

std::array<std::uint32_t, 32> addresses(const Pattern& pattern, std::uint32_t width) {
  std::array<std::uint32_t, 32> words{};
  // The narrower kernels used the same pattern in units of their own width.
  for (std::uint32_t lane = 0; lane < 32; ++lane) words[lane] = pattern.address(lane) / (4 / width);
  return words;
}

void compare(const Pattern& pattern, std::uint32_t width, bool store, const Counted& measured) {
  const Wavefronts w = wavefronts(addresses(pattern, width), 0xFFFFFFFFu, width, store);
  QVERIFY2(w.count == measured.wavefronts && w.conflicts() == measured.conflicts,
           qPrintable(QStringLiteral("%1, %2-bit %3: model %4 and %5, hardware %6 and %7")
                          .arg(QLatin1String(pattern.name))
                          .arg(32 * width)
                          .arg(QLatin1String(store ? "store" : "load"))
                          .arg(w.count)
                          .arg(w.conflicts())
                          .arg(measured.wavefronts)
                          .arg(measured.conflicts)));
}

}  // namespace

class MeasuredTest : public QObject {
  Q_OBJECT
 private slots:
  void sharedAccesses() {
    for (const Pattern& p : kPatterns) {
      compare(p, 4, false, p.load128);
      compare(p, 4, true, p.store128);
      compare(p, 2, false, p.load64);
      compare(p, 2, true, p.store64);
      compare(p, 1, false, p.load32);
    }
  }

  void globalSectors() {
    for (const Pattern& p : kPatterns) {
      QCOMPARE(coalescing(addresses(p, 4), 0xFFFFFFFFu, 4).sectors, p.sectors128);
      QCOMPARE(coalescing(addresses(p, 2), 0xFFFFFFFFu, 2).sectors, p.sectors64);
    }
  }
};

TILELOOM_TEST(MeasuredTest, Nothing)
#include "measured_test.moc"
