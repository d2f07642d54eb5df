// SPDX-License-Identifier: GPL-3.0-or-later
// The values that the hardware's counters would show: instructions, wavefronts, conflicts,
// requests, sectors.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/memory/merging.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/emulator/run.h"

namespace tileloom::analysis {

struct AccessCost;

struct Totals {
  // smsp__sass_inst_executed_op_shared_ld, smsp__inst_executed_op_shared_st,
  // l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st},
  // l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}
  std::uint64_t sharedLoadInstructions = 0;
  std::uint64_t sharedLoadWavefronts = 0;
  std::uint64_t sharedLoadConflicts = 0;
  std::uint64_t sharedStoreInstructions = 0;
  std::uint64_t sharedStoreInstructionsOff = 0;  // of these: all lanes predicated off
  std::uint64_t sharedStoreWavefronts = 0;
  std::uint64_t sharedStoreConflicts = 0;
  // l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st}
  std::uint64_t globalLoadRequests = 0;
  std::uint64_t globalLoadSectors = 0;
  std::uint64_t globalLoadPasses = 0;         // no counter: cycles of L1, see Coalescing::passes()
  std::uint64_t globalLoadSectorsPastL1 = 0;  // of these: no counter, loads that L1 does not keep
  std::uint64_t globalStoreRequests = 0;
  std::uint64_t globalStoreSectors = 0;
  // In L1's data pipe, which also serves shared memory: l1tex__data_pipe_lsu_wavefronts counts both
  // together (rule 13). Misses of L1 take some more.
  std::uint64_t globalLoadWavefronts = 0;
  std::uint64_t globalStoreWavefronts = 0;
  // Asynchronous copies from global to shared memory, each one instruction and one request, which
  // the hardware's own counters of global loads include: smsp__inst_executed_op_ldgsts; those that
  // are issued with all lanes predicated off are not requests
  // (smsp__inst_executed_op_ldgsts_pred_off_all):
  // smsp__sass_l1tex_{t_sectors_pipe_lsu_mem_global,data_pipe_lsu_wavefronts_mem_shared,
  // data_bank_conflicts_pipe_lsu_mem_shared}_op_ldgsts; for the last two see copy_cost.h.
  std::uint64_t asyncInstructions = 0;
  std::uint64_t asyncInstructionsOff = 0;  // of these
  std::uint64_t asyncSectors = 0;          // among l1tex__t_sectors_pipe_lsu_mem_global_op_ld
  std::uint64_t asyncSectorPairs = 0;      // smsp__sass_l1tex_t_sectors_..._op_ldgsts (rule 94)
  std::uint64_t asyncWavefronts = 0;
  std::uint64_t asyncConflicts = 0;
  // ldmatrix: smsp__inst_executed_op_ldsm,
  // sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm, conflicts likewise. Not among the
  // loads above.
  std::uint64_t matrixLoadInstructions = 0;
  std::uint64_t matrixLoadWavefronts = 0;
  std::uint64_t matrixLoadConflicts = 0;
  // stmatrix: smsp__inst_executed_op_shared_stsm,
  // sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm, conflicts likewise. Not among the
  // stores above.
  std::uint64_t matrixStoreInstructions = 0;
  std::uint64_t matrixStoreWavefronts = 0;
  std::uint64_t matrixStoreConflicts = 0;
  // smsp__sass_thread_inst_executed_op_ffma_pred_on
  std::uint64_t ffmaThreadInstructions = 0;
  // mma.sync.
  std::uint64_t tensorInstructions = 0;
  // wgmma: each of the four warps executes it. The tensor core's reads of shared memory:
  // l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma, conflicts likewise.
  std::uint64_t productInstructions = 0;
  std::uint64_t productWavefronts = 0;
  std::uint64_t productConflicts = 0;
  // TMA loads: smsp__inst_executed_op_tma_ld, and the bytes that they bring to shared memory,
  // including zeros from outside, l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld: a multicast
  // load counts once for each receiving block (rule 71).
  std::uint64_t boxInstructions = 0;
  std::uint64_t boxBytes = 0;
  // TMA stores: smsp__inst_executed_op_tma_st, and the bytes that they send,
  // l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.
  std::uint64_t boxStoreInstructions = 0;
  std::uint64_t boxStoreBytes = 0;
  // Not counters of the hardware, but needed for ratios. A float here is an element of any format.
  std::uint64_t sharedLoadThreadInstructions = 0;
  std::uint64_t sharedLoadFloats = 0;
  std::uint64_t globalLoadFloats = 0;
  std::uint64_t globalUsefulBytes = 0;
  std::uint64_t globalLoadIdealSectors = 0;
  std::uint64_t asyncFloats = 0;
  std::uint64_t asyncIdealSectors = 0;
  std::uint64_t matrixLoadElements = 0;
  std::uint64_t results = 0;              // elements of C stored, padding included
  std::uint64_t warpMultiplyAdds = 0;     // of mma.sync
  std::uint64_t productMultiplyAdds = 0;  // of wgmma, including those with zeros
  std::uint64_t productElements = 0;      // that the tensor core reads from shared memory for them
  std::uint64_t boxElements = 0;          // of TMA loads, without zeros from outside
  std::uint64_t boxSectors = 0;
  std::uint64_t boxStoreSectors = 0;

  // Loads of global memory, of either kind.
  std::uint64_t asyncRequests() const { return asyncInstructions - asyncInstructionsOff; }
  std::uint64_t fetchRequests() const { return globalLoadRequests + asyncRequests(); }
  std::uint64_t fetchSectors() const { return globalLoadSectors + asyncSectors + boxSectors; }
  std::uint64_t fetchIdealSectors() const {
    constexpr std::uint64_t kPerSector = 16;  // elements of 16 bits, which boxes bring
    return globalLoadIdealSectors + asyncIdealSectors + (boxElements + kPerSector - 1) / kPerSector;
  }
  std::uint64_t fetchFloats() const { return globalLoadFloats + asyncFloats + boxElements; }
  // Multiply-adds of tensor cores.
  std::uint64_t tensorMultiplyAdds() const { return warpMultiplyAdds + productMultiplyAdds; }
  // Writes to shared memory.
  std::uint64_t fillInstructions() const {
    return sharedStoreInstructions + matrixStoreInstructions + asyncInstructions;
  }
  std::uint64_t fillWavefronts() const {
    return sharedStoreWavefronts + matrixStoreWavefronts + asyncWavefronts;
  }
  std::uint64_t fillConflicts() const {
    return sharedStoreConflicts + matrixStoreConflicts + asyncConflicts;
  }
  // Stored sectors of C, of either kind.
  std::uint64_t storedSectors() const { return globalStoreSectors + boxStoreSectors; }

  // All accesses to shared memory: loads, matrix loads, operands, stores and copies.
  std::uint64_t sharedWavefronts() const {
    return sharedLoadWavefronts + matrixLoadWavefronts + productWavefronts + fillWavefronts();
  }
  std::uint64_t sharedConflicts() const {
    return sharedLoadConflicts + matrixLoadConflicts + productConflicts + fillConflicts();
  }

  bool operator==(const Totals&) const = default;
  Totals& operator+=(const Totals& other);
  Totals operator-(const Totals& other) const;
  Totals operator*(std::uint64_t times) const;
};

// With the keys of `tileloom trace --json`.
nlohmann::json toJson(const Totals& totals);

// Adds one access.
void add(Totals& totals, const emulator::Instruction& instruction, const Access& access,
         const AccessCost& cost);

// Everything in the trace, all warps.
Totals blockTotals(const emulator::Trace& trace);

// The wavefronts of shared memory that its pipe serves, which is their cost in time. For a copy on
// the tensor ladder these are its writes: its counter also has the lines that it takes in L1, which
// are not time of this pipe (rule 61 of docs/hardware.md).
double servedWavefronts(const Totals& totals, const Stage& stage);

// Block totals, split by whether an instruction is inside the loop over K.
struct SplitTotals {
  Totals loop;
  Totals outside;
  Totals after;     // of `outside`, the part after a warp's last instruction of the loop
  Totals lastTile;  // of `loop`, the last K tile that is traced
};
SplitTotals splitTotals(const emulator::Trace& trace, const BlockAccesses& plans);

// Elements of C inside the problem that a block computes, or all blocks. A launch may store more:
// rows and columns that pad C.
std::uint64_t resultsOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                        const std::optional<Extent>& block);

// The quotient of thread instructions; 0 without shared loads.
double fmasPerSharedLoad(const Totals& totals);

// Ratios that the literature uses.
struct Reuse {
  double fmasPerSharedLoad = 0;
  double sharedFloatsPerResult = 0;  // read from shared memory for one element of C
  double globalFloatsPerResult = 0;
  double usefulFraction = 0;  // of the bytes that global accesses move
};
// `results` as resultsOf counts them.
Reuse reuse(const Totals& totals, std::uint64_t results);

}  // namespace tileloom::analysis
