// SPDX-License-Identifier: GPL-3.0-or-later
// Occupancy against NVIDIA's own calculator, a header of the CUDA toolkit.
#include <cuda_occupancy.h>

#include <fmt/format.h>

#include <QtTest>
#include <climits>

#include "kernels/analysis/counts/occupancy.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class OccupancyOracleTest : public QObject {
  Q_OBJECT

  static cudaOccDeviceProp device(const Architecture& arch) {
    cudaOccDeviceProp d;
    d.computeMajor = arch.major;
    d.computeMinor = arch.minor;
    d.maxThreadsPerBlock = Architecture::kThreadsPerBlock;
    d.maxThreadsPerMultiprocessor = 32 * arch.warpsPerSm;
    d.regsPerBlock = Architecture::kRegistersPerBlock;
    d.regsPerMultiprocessor = 65536;
    d.warpSize = 32;
    d.sharedMemPerBlock = Architecture::kStaticShared;
    d.sharedMemPerMultiprocessor = static_cast<std::size_t>(arch.sharedPerSm);
    d.numSms = 1;
    d.sharedMemPerBlockOptin = static_cast<std::size_t>(arch.sharedPerBlock);
    d.reservedSharedMemPerBlock = Architecture::kSharedReserved;
    return d;
  }

  // The launcher takes all shared memory dynamically where it is more than a static block may have.
  static cudaOccError ask(const Architecture& arch, const BlockNeeds& needs,
                          cudaOccResult* result) {
    const cudaOccDeviceProp properties = device(arch);
    const auto shared = static_cast<std::size_t>(needs.sharedBytes);
    cudaOccFuncAttributes function;
    function.maxThreadsPerBlock = INT_MAX;
    function.numRegs = needs.registers;
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.numBlockBarriers = 1;
    const bool dynamic = needs.sharedBytes > Architecture::kStaticShared;
    function.sharedSizeBytes = dynamic ? 0 : shared;
    function.maxDynamicSharedSizeBytes = dynamic ? shared : 0;
    const cudaOccDeviceState state;
    return cudaOccMaxActiveBlocksPerMultiprocessor(result, &properties, &function, &state,
                                                   needs.threads, dynamic ? shared : 0);
  }

  static void addArchitectures() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < architectures().size(); ++i) {
      QTest::newRow(std::string(architectures()[i].name).c_str()) << static_cast<int>(i);
    }
  }

  static void compare(const Architecture& arch, const BlockNeeds& needs) {
    cudaOccResult theirs{};
    QCOMPARE(ask(arch, needs, &theirs), CUDA_OCC_SUCCESS);
    const Occupancy ours = occupancy(arch, needs);
    const std::string text =
        fmt::format("{}, {} threads, {} registers, {} bytes: {} blocks, and by the header {}",
                    arch.name, needs.threads, needs.registers, needs.sharedBytes, ours.blocks,
                    theirs.activeBlocksPerMultiprocessor);
    QVERIFY2(ours.blocks == theirs.activeBlocksPerMultiprocessor, text.c_str());
    if (ours.blocks == 0) return;
    QVERIFY2(ours.blocksBy[0] == theirs.blockLimitWarps, text.c_str());
    QVERIFY2(ours.blocksBy[1] == theirs.blockLimitBlocks, text.c_str());
    QVERIFY2(ours.blocksBy[2] == theirs.blockLimitRegs, text.c_str());
    QVERIFY2(ours.blocksBy[3] == theirs.blockLimitSharedMem, text.c_str());
    const auto limits = [&](Resource resource) {
      return std::ranges::find(ours.limiting, resource) != ours.limiting.end();
    };
    QCOMPARE(limits(Resource::Warps), (theirs.limitingFactors & OCC_LIMIT_WARPS) != 0);
    QCOMPARE(limits(Resource::Blocks), (theirs.limitingFactors & OCC_LIMIT_BLOCKS) != 0);
    QCOMPARE(limits(Resource::Registers), (theirs.limitingFactors & OCC_LIMIT_REGISTERS) != 0);
    QCOMPARE(limits(Resource::SharedMemory),
             (theirs.limitingFactors & OCC_LIMIT_SHARED_MEMORY) != 0);
  }

 private slots:
  void randomNeeds_data() { addArchitectures(); }
  void randomNeeds() {
    QFETCH(int, index);
    const Architecture& arch = architectures()[static_cast<std::size_t>(index)];
    test::Random random(test::seed());
    int running = 0;
    for (int round = 0; round < 20'000; ++round) {
      const int most = random.oneIn(2) ? arch.sharedPerBlock : Architecture::kStaticShared;
      const BlockNeeds needs = {
          random.oneIn(3) ? random.integer(1, 1024) : 32 * random.integer(1, 32),
          random.integer(0, 255), random.oneIn(5) ? 0 : random.integer(0, most)};
      compare(arch, needs);
      if (QTest::currentTestFailed()) return;
      running += occupancy(arch, needs).blocks > 0 ? 1 : 0;
    }
    QVERIFY(running > 10'000);
  }

  void everyRegisterCount_data() { addArchitectures(); }
  void everyRegisterCount() {
    QFETCH(int, index);
    const Architecture& arch = architectures()[static_cast<std::size_t>(index)];
    for (int registers = 0; registers <= 255; ++registers) {
      for (const int threads : {32, 64, 96, 128, 192, 256, 320, 512, 768, 1024}) {
        compare(arch, {threads, registers, 16384});
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void whatTheHeaderRefusesHasNoBlocks_data() { addArchitectures(); }
  void whatTheHeaderRefusesHasNoBlocks() {
    QFETCH(int, index);
    const Architecture& arch = architectures()[static_cast<std::size_t>(index)];
    for (const BlockNeeds& needs : {BlockNeeds{0, 32, 0}, BlockNeeds{1025, 32, 0},
                                    BlockNeeds{128, 32, arch.sharedPerBlock + 1}}) {
      cudaOccResult theirs{};
      const cudaOccError error = ask(arch, needs, &theirs);
      QVERIFY(error != CUDA_OCC_SUCCESS || theirs.activeBlocksPerMultiprocessor == 0);
      QCOMPARE(occupancy(arch, needs).blocks, 0);
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::OccupancyOracleTest, Nothing)
#include "occupancy_oracle_test.moc"
