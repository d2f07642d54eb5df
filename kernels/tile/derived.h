// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from the tile parameters: threads, warps, subtiles, shared memory, loads per thread.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// All counts are 0 where they do not apply to a stage, or where the tile is so far from legal that
// the quotient has no meaning.
struct Derived {
  int blockM = 0;   // rows of C that one block owns
  int blockN = 0;   // columns
  int stepK = 0;    // elements of K between two fills (without tiles: slabs of 32)
  int threads = 0;  // per block
  int warps = 0;    // per block, the last one perhaps partly filled
  int wmiter = 0;   // subtiles down a warp tile
  int wniter = 0;   // subtiles across
  int wsubm = 0;    // rows of one subtile of the whole warp
  int wsubn = 0;
  int results = 0;    // elements of C a thread
  int fragments = 0;  // values of A and B that a thread needs for one k; on tensor cores,
                      // registers with two values each
  // Values of A and B that a thread reads from shared memory for one k; 0 on tensor cores, whose
  // lanes exchange them, and without shared memory.
  int operands = 0;
  int buffers = 0;   // K tiles that shared memory holds at a time
  int barriers = 0;  // that count arrivals and bytes
  // Registers per thread after register reallocation; 0 without it.
  int producerRegisters = 0, consumerRegisters = 0;
  int stagedC = 0;      // elements of C with a place of their own in shared memory
  int sharedBytes = 0;  // per block
  int loadsA = 0;       // instructions per thread to fill the tile of A once; with TMA, the
                        // number of TMA loads, all issued by one thread
  int loadsB = 0;
  int loadWidthA = 0;  // bytes of one such load
  int loadWidthB = 0;
  // Accumulators, and values of A and B, that a thread holds in registers: two sets of the latter
  // where the next set is loaded during the multiply-adds.
  int values = 0;
  int estimatedRegisters = 0;  // a lower estimate: results, fragments and addresses
};

Derived derive(const Stage& stage, const TileShape& tile);

// The most registers per thread with which a block of this tile can start, given the size of the
// register file.
int launchedRegisters(const Stage& stage, const TileShape& tile);

// The registers per thread with which it does start, by estimate: with register reallocation, the
// most that it can.
int expectedRegisters(const Stage& stage, const TileShape& tile);

struct NamedValue {
  std::string_view name;
  int value;
  std::string_view unit;
};

// The derived values that are worth showing for this stage, in reading order.
std::vector<NamedValue> shownValues(const Stage& stage, const TileShape& tile);

}  // namespace tileloom
