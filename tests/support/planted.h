// SPDX-License-Identifier: GPL-3.0-or-later
// Tiny kernels with one property each, good or bad, that a test plants and expects to find. A
// kernel is written with the portability header like any stage, for a square block of BLOCKSIZE²
// threads in a row.
#pragma once

#include "kernels/device/cluster.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/split.cuh"
#include "kernels/device/stored.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/emulator/run.h"
#include "kernels/tile/parameters.h"

namespace tileloom::test {

// The line of the statement in PLANTED(…), after it has run.
inline int plantedLine = 0;

inline constexpr const char* kPlantedFile = "tests/planted.cuh";

template <class Kernel>
Stage planted(bool rowsAlongX = false) {
  Stage stage;
  stage.id = "planted";
  stage.title = "planted";
  stage.file = kPlantedFile;
  stage.parameters = {{Parameter::BLOCKSIZE, 8, 1, 32}};
  stage.rowsAlongX = rowsAlongX;
  stage.enter = emulator::enterKernel<Kernel>;
  return stage;
}

// The same for a kernel of 16-bit elements.
template <class Kernel>
Stage plantedTensor() {
  Stage stage;
  stage.id = "planted";
  stage.ladder = Ladder::Tensor;
  stage.title = "planted";
  stage.file = kPlantedFile;
  stage.parameters = {{Parameter::BLOCKSIZE, 8, 1, 32}};
  stage.formats = {Format::Bf16, Format::Fp16};
  stage.enter = emulator::enterTensorKernel<Kernel>;
  return stage;
}

// A stage with TMA and warpgroups and the tile of a rung: two K tiles of A and of B, in panels of
// 32 elements. `more` are additional tile parameters, and `enter` is for a kernel with other
// arguments.
template <class Kernel>
Stage plantedHopper(std::vector<Box> (*boxes)(const TileShape&), const Warpgroup& kind = {},
                    const std::vector<ParameterSpec>& more = {},
                    void (*enter)(emulator::Block&,
                                  unsigned) = emulator::enterHopperKernel<Kernel>) {
  Stage stage;
  stage.id = "planted";
  stage.ladder = Ladder::Tensor;
  stage.title = "planted";
  stage.file = kPlantedFile;
  stage.formats = {Format::Bf16, Format::Fp16};
  stage.parameters = {{Parameter::BM, 64, 64, 128},
                      {Parameter::BN, 64},
                      {Parameter::BK, 32},
                      {Parameter::CONSUMERS, 1},
                      {Parameter::SWIZZLE, 64}};
  stage.parameters.insert(stage.parameters.end(), more.begin(), more.end());
  stage.kind = kind;
  stage.enter = enter;
  stage.boxes = boxes;
  return stage;
}

// The trace of one block of a planted kernel with BLOCKSIZE `edge`.
inline emulator::Trace tracePlanted(emulator::Workspace& workspace, const Stage& stage, int edge,
                                    const Problem& problem, Extent block = {0, 0}) {
  emulator::TraceRequest request;
  request.subject() = usualSubject(stage, {{Parameter::BLOCKSIZE, edge}});
  request.problem = problem;
  request.block = block;
  return emulator::traceBlock(workspace, request);
}

}  // namespace tileloom::test

// One statement on one line, which stores its line.
#define PLANTED(statement)                    \
  do {                                        \
    ::tileloom::test::plantedLine = __LINE__; \
    statement;                                \
  } while (false)
