// SPDX-License-Identifier: GPL-3.0-or-later
// What an H100 counted while it ran rung T1 (bf16), one block over four K tiles, eight tiles, on
// 2026-11-24: the trace must say the same, counter by counter.
#include <QtTest>
#include <array>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class TensorCountsTest : public QObject {
  Q_OBJECT

  struct Row {
    std::array<int, 5> parameters;  // BM, BN, BK, WM, WN
    // smsp__inst_executed_op_ldsm,
    // sm__sass_l1tex_data_{pipe_lsu_wavefronts,bank_conflicts_pipe_lsu}_mem_shared_op_ldsm
    std::uint64_t matrixLoads, matrixWavefronts, matrixConflicts;
    // smsp__inst_executed_op_shared_st, l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st; no store
    // had a conflict
    std::uint64_t stores, storeWavefronts;
    // l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st}
    std::uint64_t loadRequests, loadSectors, storeRequests, storeSectors;
    // sm__inst_executed_pipe_tensor_op_hmma, sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32
    std::uint64_t tensor, operations;
  };
  static constexpr std::array kRows = {
      Row{{128, 128, 32, 64, 64}, 256, 6144, 5120, 128, 512, 128, 2048, 256, 2048, 1024, 4194304},
      Row{{128, 128, 64, 64, 64},
          512,
          16384,
          14336,
          256,
          1024,
          256,
          4096,
          256,
          2048,
          2048,
          8388608},
      Row{{128, 64, 16, 64, 32}, 96, 1536, 1152, 48, 192, 48, 768, 128, 1024, 256, 1048576},
      Row{{64, 128, 32, 32, 64}, 192, 5120, 4352, 96, 384, 96, 1536, 128, 1024, 512, 2097152},
      Row{{64, 64, 32, 32, 32}, 128, 3072, 2560, 64, 256, 64, 1024, 64, 512, 256, 1048576},
      Row{{256, 128, 16, 64, 64}, 256, 5120, 4096, 96, 384, 96, 1536, 512, 4096, 1024, 4194304},
      Row{{96, 96, 32, 48, 48}, 192, 3072, 2304, 96, 384, 96, 1536, 144, 1152, 576, 2359296},
      Row{{16, 64, 32, 16, 32}, 48, 1280, 1088, 40, 160, 40, 640, 16, 128, 64, 262144},
  };

 private slots:
  void traceAndHardwareAgree_data() {
    QTest::addColumn<std::size_t>("row");
    for (std::size_t i = 0; i < kRows.size(); ++i) {
      const auto& k = kRows[i].parameters;
      QTest::addRow("BM=%d BN=%d BK=%d WM=%d WN=%d", k[0], k[1], k[2], k[3], k[4]) << i;
    }
  }
  void traceAndHardwareAgree() {
    QFETCH(std::size_t, row);
    const Row& counted = kRows[row];
    const Stage& stage = **stageNamed("t1");
    const auto& [bm, bn, bk, wm, wn] = counted.parameters;
    emulator::TraceRequest request;
    request.subject() = usualSubject(stage, stage.standardTile()
                                                .with(Parameter::BM, bm)
                                                .with(Parameter::BN, bn)
                                                .with(Parameter::BK, bk)
                                                .with(Parameter::WM, wm)
                                                .with(Parameter::WN, wn));
    request.problem = {bm, bn, 4 * bk};
    QVERIFY(isLegal(stage, request.tile));
    emulator::Workspace workspace;
    const analysis::Totals t = analysis::gridTotals(workspace, request);
    QCOMPARE(t.matrixLoadInstructions, counted.matrixLoads);
    QCOMPARE(t.matrixLoadWavefronts, counted.matrixWavefronts);
    QCOMPARE(t.matrixLoadConflicts, counted.matrixConflicts);
    QCOMPARE(t.sharedLoadInstructions, std::uint64_t{0});
    QCOMPARE(t.sharedStoreInstructions, counted.stores);
    QCOMPARE(t.sharedStoreWavefronts, counted.storeWavefronts);
    QCOMPARE(t.sharedStoreConflicts, std::uint64_t{0});
    QCOMPARE(t.globalLoadRequests, counted.loadRequests);
    QCOMPARE(t.globalLoadSectors, counted.loadSectors);
    QCOMPARE(t.globalStoreRequests, counted.storeRequests);
    QCOMPARE(t.globalStoreSectors, counted.storeSectors);
    QCOMPARE(t.tensorInstructions, counted.tensor);
    // Two operations per multiply-add.
    QCOMPARE(t.tensorInstructions * 2 * 2048, counted.operations);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TensorCountsTest, Nothing)
#include "tensor_counts_test.moc"
