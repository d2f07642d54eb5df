// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/constraints.h"

#include <QtTest>
#include <map>

#include "kernels/tile/families/family.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class ConstraintsTest : public QObject {
  Q_OBJECT

  static QString reason(std::string_view id, const TileShape& tile,
                        const Architecture& arch = defaultArchitecture()) {
    const auto violation = firstViolation(test::stage(id), tile, arch);
    return violation ? q(violation->row->id) + ": " + q(violation->reason) : QString();
  }
  static TileShape standard(std::string_view id) { return test::stage(id).standardTile(); }

 private slots:
  void rowsHaveDistinctIds() {
    for (const KernelFamily* family : kernelFamilies()) {
      std::map<std::string_view, int> count;
      for (const Constraint& row : family->rules()) {
        QCOMPARE(++count[row.id], 1);
        QVERIFY(!row.parameters.empty());
      }
      // A kernel of the user has no tile parameters.
      QVERIFY(family == &kOwnFamily ? count.empty() : count.size() >= 12);
    }
  }

  // A row that no tile can break would be unnecessary, or never evaluated.
  void everyRowFires() {
    test::Random random(test::seed());
    std::map<const Constraint*, std::string> example;
    for (const KernelFamily* family : kernelFamilies()) {
      for (const Constraint& row : family->rules()) example[&row];
    }
    std::size_t missing = example.size();
    // Legal tiles with a few tile parameters moved come further down the table than any tile does.
    std::vector<std::vector<TileShape>> legal;
    const auto all = everyStage();
    for (const Stage* stage : all) legal.push_back(test::legalTiles(*stage, 300, random));
    constexpr int kMostRounds = 1'000'000;
    for (int round = 0; round < kMostRounds && missing > 0; ++round) {
      for (std::size_t s = 0; s < all.size(); ++s) {
        const Stage& stage = *all[s];
        TileShape tile = test::anyTile(stage, random);
        if (round % 8 != 0) {
          const TileShape other = tile;
          const auto& pool = legal[s];
          tile = pool[static_cast<std::size_t>(round) % pool.size()];
          for (int change = random.integer(0, 3); change > 0; --change) {
            const auto parameter = static_cast<std::size_t>(
                random.integer(0, static_cast<int>(stage.parameters.size()) - 1));
            tile[stage.parameters[parameter].parameter] =
                other[stage.parameters[parameter].parameter];
          }
          if (random.oneIn(20)) tile[stage.parameters[0].parameter] = 0;
        }
        // No tile within the ladder's ranges needs more shared memory than Hopper has.
        const Architecture& arch = architectures()[static_cast<std::size_t>(
            random.integer(0, static_cast<int>(architectures().size()) - 1))];
        const auto violation = firstViolation(stage, tile, arch);
        if (!violation) continue;
        std::string& text = example[violation->row];
        if (text.empty()) --missing;
        text = violation->reason;
        QVERIFY(!text.empty());
      }
    }
    QStringList silent;
    for (const auto& [row, text] : example) {
      if (text.empty()) silent += q(row->id);
    }
    QVERIFY2(silent.isEmpty(), qPrintable("rows that no tile broke: " + silent.join(", ")));
  }

  void reasonsNameTheNumbers_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* stage, const char* parameters, const char* text) {
      QTest::addRow("%s %s", stage, parameters)
          << QString(stage) << QString(parameters) << QString(text);
    };
    row("naive", "BLOCKSIZE=33", "range: BLOCKSIZE = 33 is not between 1 and 32");
    row("warptiled", "TM=0", "range: TM = 0 is not between 1 and 32");
    row("autotuned", "BK=6",
        "float4-bk: BK = 6 is not a multiple of 4, so a row of the tile of A is not whole float4 "
        "loads");
    row("autotuned", "BN=126",
        "float4-bn: BN = 126 is not a multiple of 4, so a row of the tile of B is not whole float4 "
        "loads");
    row("autotuned", "TN=6",
        "float4-tn: TN = 6 is not a multiple of 4, so a thread's row of C is not whole float4 "
        "stores");
    row("warptiled", "WM=48",
        "warp-rows: BM = 128 is not a multiple of WM = 48, so warp tiles cannot cover the block "
        "tile");
    row("warptiled", "WN=96",
        "warp-columns: BN = 128 is not a multiple of WN = 96, so warp tiles cannot cover the block "
        "tile");
    row("warptiled", "WNITER=3",
        "subtiles-across: WN = 64 is not a multiple of WNITER = 3, so subtiles cannot cover the "
        "warp tile");
    row("warptiled", "WNITER=8",
        "wmiter: 32 lanes of 8 x 4 results and WNITER = 8 make 8,192 results per pass, and the "
        "warp tile's WM·WN = 4,096 is not a multiple of that (WMITER)");
    row("warptiled", "WM=16 TM=3 TN=4 WN=96 BN=96 WNITER=4",
        "subtile-rows: a subtile of WM / WMITER = 16 rows is not a multiple of TM = 3 rows: "
        "threads would write into another thread's tile");
    row("blocktile2d", "TM=7",
        "thread-rows: BM = 128 is not a multiple of TM = 7, so thread tiles cannot cover the block "
        "tile");
    row("blocktile2d", "TN=7",
        "thread-columns: BN = 128 is not a multiple of TN = 7, so thread tiles cannot cover the "
        "block tile");
    row("blocktile2d", "TM=1 TN=1",
        "threads: the tile needs 16,384 threads per block, and a block may have 1 to 1,024");
    row("vectorized", "BK=16",
        "one-float4-a: BM·BK = 2,048 floats are not exactly one float4 for each of 256 threads "
        "(1,024); the autotuned rung loads several");
    row("vectorized", "BM=64 TM=4 BK=16",
        "one-float4-b: BK·BN = 2,048 floats are not exactly one float4 for each of 256 threads "
        "(1,024); the autotuned rung loads several");
    row("autotuned", "BM=64 TM=4 BK=8",
        "fill-a: BM·BK = 512 floats cannot be split into whole float4 loads over 256 threads");
    row("autotuned", "BN=64 TN=4 BK=8",
        "fill-b: BK·BN = 512 floats cannot be split into whole float4 loads over 256 threads");
    row("blocktile2d", "BK=24",
        "rows-a: one pass of float loads over 256 threads covers 256 floats, not a multiple of BK "
        "= 24, the row length of A");
    row("blocktile2d", "BM=96 BK=12",
        "rows-b: one pass of float loads over 192 threads covers 192 floats, not a multiple of BN "
        "= 128, the row length of B");
    row("warptiled", "WM=128 WN=128 WNITER=4",
        "registers: 512 results and 48 fragment values need about 573 registers per thread, and "
        "with "
        "32 threads per block a thread may have 255");
    row("mma", "WN=24 BN=120",
        "mma-shape: WN = 24 is not a multiple of 16: mma.sync multiplies 8 columns of B, and these "
        "rungs load 2 x 8 with one ldmatrix");
    row("mma", "BK=40",
        "mma-shape: BK = 40 is not a multiple of 16: these rungs multiply 16 elements of K at a "
        "time, by mma.m16n8k16");
    row("mma", "WM=24 BM=120",
        "mma-shape: WM = 24 is not a multiple of 16: mma.sync multiplies 16 rows of A");
    // The instruction takes every multiple of 8 up to 256, the rungs fewer.
    for (const char* columns : {"72", "80", "208"}) {
      QTest::addRow("wgmma BN=%s", columns)
          << "wgmma" << QString("BN=%1").arg(columns)
          << QString(
                 "wgmma-columns: wgmma could multiply %1 columns, like every multiple of 8 up to "
                 "256, and these rungs offer BN = 64, 96, 128, 160, 192, 224, 256")
                 .arg(columns);
    }
    row("hopper", "BN=100",
        "wgmma-columns: BN = 100 is not a multiple of 8, as wgmma requires, and these rungs offer "
        "BN = 64, 96, 128, 160, 192, 224, 256");
    row("wgmma", "BM=192 CONSUMERS=2",
        "wgmma-rows: wgmma multiplies 64 rows, and in these rungs each of CONSUMERS = 2 warpgroups "
        "does so once or twice: BM must be 128 or 256, not 192");
    row("wgmma", "BK=40",
        "wgmma-depth: BK = 40 is not a multiple of 16, and wgmma multiplies 16 elements of K at a "
        "time with 16-bit numbers");
    row("tma", "SWIZZLE=48",
        "swizzle: SWIZZLE = 48 is not one of 32, 64 and 128 bytes, the swizzle widths of a tensor "
        "map");
    row("swizzled", "SWIZZLE=48",
        "swizzle: SWIZZLE = 48 is not one of 0 (whole rows), 32, 64 and 128 bytes, the panel "
        "widths of these rungs");
    row("multistage", "STAGES=8 BK=128",
        "shared-memory: the tiles of A and B, and barriers, take 786,496 bytes of shared memory, "
        "and a block on sm_90 may have 232,448");
    row("hopper", "STAGES=6",
        "shared-memory: the tiles of A and B, barriers, and staged C take 327,776 bytes of shared "
        "memory, and a block on sm_90 may have 232,448");
    row("mma", "BM=96",
        "warp-rows: BM = 96 is not a multiple of WM = 64, so warp tiles cannot cover the block "
        "tile");
    row("mma", "BM=48 WM=16 BK=16",
        "chunks-a: BM·BK = 768 elements cannot be split into whole 16-byte copies over 192 "
        "threads");
    row("mma", "BM=192 WM=16 BN=32 WN=32",
        "chunks-b: BK·BN = 1,024 elements cannot be split into whole 16-byte copies over 384 "
        "threads");
    // The literature's 256 x 256 tile has fp16 sums.
    row("mma", "BM=256 BN=256",
        "registers: 128 results and 32 fragment values need about 161 registers per thread, and "
        "with "
        "512 threads per block a thread may have 128");
  }
  void reasonsNameTheNumbers() {
    QFETCH(QString, stage);
    QFETCH(QString, parameters);
    QFETCH(QString, text);
    TileShape tile = standard(stage.toStdString());
    for (const QString& parameter : parameters.split(' ')) {
      const QStringList parts = parameter.split('=');
      tile[parameterNamed(parts[0].toStdString()).value()] = parts[1].toInt();
    }
    QCOMPARE(reason(stage.toStdString(), tile), text);
  }

  // 112 KiB fit on Hopper and not on Ada.
  void sharedMemoryDependsOnTheArchitecture() {
    const TileShape large = {{Parameter::BM, 192},
                             {Parameter::BN, 256},
                             {Parameter::BK, 64},
                             {Parameter::TM, 12},
                             {Parameter::TN, 16}};
    QCOMPARE(reason("autotuned", large), QString());
    QCOMPARE(
        reason("autotuned", large, architectureNamed("sm_89").value()),
        QString("shared-memory: the tiles of A and B take 114,688 bytes of shared memory, and a "
                "block on sm_89 may have 101,376"));
  }

  // Without this row such a tile runs and returns wrong numbers.
  void aSubtileOfBrokenColumnsIsRefused() {
    const TileShape tile = standard("warptiled")
                               .with(Parameter::WN, 16)
                               .with(Parameter::WNITER, 8)
                               .with(Parameter::TM, 1);
    QCOMPARE(reason("warptiled", tile),
             QString("subtile-columns: a subtile of WN / WNITER = 2 columns is not a multiple of "
                     "TN = 4 columns: threads would write into another thread's tile"));
  }

  // Three answers to one question; legality_test.cpp checks whether they are right.
  void theAnswersAgree_data() { test::addStageRows(); }
  void theAnswersAgree() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    int legal = 0;
    const std::vector<TileShape> walk = test::legalTiles(stage, 30, random);
    for (int i = 0; i < 3000; ++i) {
      TileShape tile = i % 3 == 0 ? test::anyTile(stage, random)
                                  : walk[static_cast<std::size_t>(i) % walk.size()];
      const ParameterSpec& spec =
          stage.parameters[static_cast<std::size_t>(i) % stage.parameters.size()];
      if (i % 3 == 1) tile[spec.parameter] = random.integer(spec.min - 1, spec.max + 1);
      for (const Architecture& arch : architectures()) {
        const bool verdict = isLegal(stage, tile, arch);
        legal += verdict ? 1 : 0;
        QCOMPARE(verdict, !firstViolation(stage, tile, arch).has_value());
        // Explaining a tile that is far from any legal one takes long, so only the near ones.
        if (i % 3 == 0 || i % 10 != 0) break;
        QCOMPARE(verdict, explainTile(stage, tile, std::nullopt, arch).empty());
      }
    }
    QVERIFY(legal > 300 && legal < 5000);
  }

  // Every row that is skipped for a stage must be one that it does not need.
  void rowsOfOtherKindsAreNotAsked() {
    const Stage& naive = test::stage("naive");
    for (int edge = 1; edge <= 32; ++edge) {
      QVERIFY(isLegal(naive, {{Parameter::BLOCKSIZE, edge}}));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ConstraintsTest, Nothing)
#include "constraints_test.moc"
