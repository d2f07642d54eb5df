// SPDX-License-Identifier: GPL-3.0-or-later
// How the fake GPU behaves.
//
// TILELOOM_FAKE is a list of behaviours, separated by commas, read at the first call and again by
// tileloom_fake_reset:
//   the device
//     name=TEXT arch=90 sms=132    another device ("Fake H100", 9.0, 132 SMs, limits of an H100)
//     devices=2 memory=64M         more of them; less memory (K, M, G)
//     no-device init-fails=999     cuInit says kNoDevice, or this CUresult
//   calls
//     fail=FUNCTION:NUMBER[@n]     this function (of any of the five libraries) returns NUMBER,
//                                  from its n-th call on; may be repeated. A function that releases
//                                  something still releases it.
//     cublas-fails=13              short for fail=cublasSgemm_v2:13
//   kernels
//     only=STAGE                   what follows, down to slow-stage, is of this stage only
//     wrong=17[@n]                 element 17 of the result is off by 1, from the n-th launch on
//     nan=5 zero                   element 5 is NaN; all are 0
//     illegal-address[=n]          the (n-th and every later) launch fails: cuStreamQuery says
//                                  kIllegalAddress, and so does every later call
//     hang=launch[@n]              the (n-th) launch never ends: cuStreamQuery says kNotReady
//                                  forever, and calls that wait for the device do not return; nor
//                                  does exit(), as on a GPU: only _exit and signals end the process
//     abort=launch[@n]             the process dies by SIGABRT in the (n-th) launch
//     slow-stage=STAGE:MS          each launch of the stage takes MS of real time
//     registers=64 spill=0 static=0    what NVRTC's log and cuFuncGetAttribute say
//     registers-with=TEXT:256 spill-with=TEXT
//                                  what that log says about sources that contain this text
//     remark=C7511                 NVRTC's log has this remark of the assembler
//     stamps=WORD:LINE:STEP        a timestamped kernel writes one record per warp and STEP of K:
//                                  1,000 cycles after each other, each warp 10 cycles after the
//                                  last, 43 cycles long; STEP 0: none
//     spill-above=64               tiles with TM*TN above this spill 8 bytes, says this NVRTC
//   time
//     rate=STAGE:GFLOPS            how fast a stage, or "cublas", is; may be repeated; of
//                                  ceiling_dram, ceiling_l2 and ceiling_shared in 1e9 bytes a
//                                  second
//     landscape=0.5                tiles differ: the rate is multiplied by 1 down to 1 - 0.5, by
//                                  the tile parameters given to this library's NVRTC (a hill and
//                                  ripples)
//     jitter=0.002 seed=1          relative standard deviation of a launch's time; its generator
//     drift=0.001                  how much slower everything is after each simulated millisecond
//     polls=2                      answers of kNotReady before a stream is idle
//   NVML
//     throttle=4 clock=1755 watts=350
//   NVRTC (this library's own)
//     nvrtc=13.0
//     cubin=FILE                   its output for each stage is this file, for the requested
//                                  architecture; the driver finds any kernel in it
// An unknown behaviour ends the process with a message: a test must not pass by a misspelling.
#pragma once

#include <map>
#include <string>

namespace tileloom::fake {

struct Failure {
  int result = 0;
  int from = 1;
};

struct Behaviour {
  std::string name = "Fake H100";
  int arch = 90, sms = 132, devices = 1;
  double memory = 80.0 * (1 << 30);
  int initFails = 0;
  std::map<std::string, Failure> failures;
  std::string only;
  long long wrong = -1, nan = -1;
  int wrongFrom = 1;
  bool zero = false;
  int illegalFrom = 0, hangFrom = 0, abortFrom = 0;  // 0: never
  std::string slowStage, remark, cubin;
  std::string manyRegistersWith, spillWith;  // empty: no source
  int manyRegisters = 0;
  unsigned stampWord = 1, stampLine = 1, stampStep = 0;
  double slowMs = 0;
  int registers = 64, spill = 0, staticShared = 0;
  std::map<std::string, double> rates = {
      {"naive", 300},         {"coalesced", 3000},    {"shared", 5000},
      {"blocktile1d", 12000}, {"blocktile2d", 20000}, {"vectorized", 25000},
      {"autotuned", 28000},   {"warptiled", 35000},   {"cublas", 40000}};
  double jitter = 0.002, drift = 0, landscape = 0;
  int spillAbove = 0;  // 0: never
  unsigned seed = 1;
  int polls = 2;
  unsigned long long throttle = 0;
  unsigned clock = 1755;
  double watts = 350;
  int nvrtcMajor = 13, nvrtcMinor = 0;
};

Behaviour behaviourFromEnvironment();

// From 1 down to 1 - spread: how far each tile parameter is from a best value, in factors of two,
// and some ripple. `parameters` is "-DBM=128 -DBN=64 …".
double qualityOf(const std::string& parameters, double spread);

}  // namespace tileloom::fake
