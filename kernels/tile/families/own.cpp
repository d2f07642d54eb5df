// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are not rungs. Nothing is derived: a recording has said it.
#include "kernels/tile/families/counts.h"
#include "kernels/tile/families/family.h"

namespace tileloom::families::own {
namespace {

const Own& kindOf(const Stage& stage) {
  return std::get<Own>(stage.kind);
}

Features featuresOf(const Stage& stage) {
  return kindOf(stage).features;
}

const MmaRow* mmaOf(const Stage& stage) {
  return kindOf(stage).mma;
}

Derived deriveOwn(const Stage& stage, const TileShape&) {
  const Own& own = kindOf(stage);
  Derived d;
  d.blockM = own.rows;
  d.blockN = own.columns;
  d.stepK = own.stepK;
  d.threads = own.threads;
  countWarps(d);
  d.results = quotient(1LL * own.rows * own.columns, own.threads);
  d.buffers = own.buffers;
  d.sharedBytes = own.sharedBytes;
  d.estimatedRegisters = own.registers;
  return d;
}

// Its launch file has no tile parameters of the ladder: each tile is legal.
std::span<const Constraint> rules() {
  return {};
}

KernelForm formOf(const Stage&) {
  return KernelForm::Own;
}

}  // namespace
}  // namespace tileloom::families::own

namespace tileloom {

const KernelFamily kOwnFamily = {
    .name = "own",
    .features = families::own::featuresOf,
    .mma = families::own::mmaOf,
    .derive = families::own::deriveOwn,
    .rules = families::own::rules,
    .form = families::own::formOf,
};

}  // namespace tileloom
