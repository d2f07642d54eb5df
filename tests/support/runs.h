// SPDX-License-Identifier: GPL-3.0-or-later
// A fake run whose device name shows that it is fake.
#pragma once

#include "kernels/runs/counters.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/parameters.h"

namespace tileloom::test {

inline runs::RunRecord madeUpRun() {
  runs::RunRecord r;
  r.when = "2026-11-21T03:25:00Z";
  r.device = "Invented Device";
  r.arch = "sm_90";
  r.driver = "1.2.3";
  r.cuda = "13.0";
  r.stage = "warptiled";
  r.tile = {{Parameter::BM, 128}, {Parameter::BN, 128},   {Parameter::BK, 16}, {Parameter::WM, 64},
            {Parameter::WN, 64},  {Parameter::WNITER, 4}, {Parameter::TM, 8},  {Parameter::TN, 4}};
  r.problem = {4096, 4096, 2048};
  r.gflops = {1234.5, 1230, 1240.25};
  r.cublas = {2000, 1990, 2010};
  r.ratio = {0.61725, 0.61, 0.62};
  r.rounds = 12;
  r.largestError = 1.25e-5;
  r.peakPercent = 12.5;
  r.quantisationLoss = 0.125;
  r.smClockMHz = 1755;
  r.watts = 321.5;
  r.throttled = {"power cap"};
  r.registers = 168;
  r.loop = {1181, 1024};
  r.staticShared = 16384;
  r.blocksPerSm = 3;
  r.occupancy = 0.1875;
  r.achievedOccupancy = 0.18;
  r.counters.set(runs::Counter::InstructionsPerCycle, 2.87);
  r.counters.set(runs::Counter::SharedStoreConflicts, 50637680);
  r.fingerprint = "0123456789abcdef";
  return r;
}

}  // namespace tileloom::test
