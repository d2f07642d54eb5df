// SPDX-License-Identifier: GPL-3.0-or-later
// The path of the values that one warp instruction moves: their sectors of global memory, their
// words and banks of shared memory, the wavefronts that serve them, the registers that receive
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct MemoryPath {
  // The stations in the order in which this instruction's values pass them.
  enum class Station { Sectors, SharedWords, Wavefronts, Lanes };

  struct Value {
    std::uint32_t lane = 0;
    std::uint32_t part = 0;    // which word of the lane's access
    std::uint32_t half = 0;    // which of the elements in that register
    std::uint32_t inWord = 0;  // and in the word of shared memory: differs for ldmatrix.trans
    Element element;
    std::uint32_t sector = 0;                // index into sectors
    std::uint32_t inSector = 0;              // which of its elements: eight of 32 bits, or more
    std::optional<std::uint32_t> word;       // of the block's shared memory, now or later
    std::optional<std::uint32_t> wavefront;  // that serves it in this instruction
    // Multiply-adds with it at this k, of this lane, or of the tensor cores for this lane's part of
    // their operands (shared and matrix loads).
    std::uint32_t uses = 0;
  };
  struct Sector {
    Matrix matrix = Matrix::A;
    Element first;           // of its elements
    std::uint64_t used = 0;  // bit i: element i is one of the values
  };

  std::vector<Station> stations;
  std::uint32_t parts = 1;       // elements in a word
  std::uint32_t wavefronts = 0;  // of the access, in shared memory
  std::vector<Value> values;
  std::vector<Sector> sectors;  // distinct, by address
  // The instruction itself touches these sectors; else the values have come from there earlier.
  bool touchesGlobal = false;
  bool touchesShared = false;
  std::string sharedArray;  // of the words; empty: no shared memory on this path

  std::uint32_t sectorElements() const { return 8 * parts; }
  std::uint32_t usedBytes() const;      // of all sectors
  std::uint32_t banks() const;          // distinct ones of the words
  std::uint32_t mostInOneBank() const;  // distinct words
};

// `access` is a moment of memory. Values whose element of A, B or C is not known are left out.
MemoryPath memoryPath(const Recording& recording, const Moment& access);

}  // namespace tileloom::analysis
