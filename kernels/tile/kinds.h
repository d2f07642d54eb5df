// SPDX-License-Identifier: GPL-3.0-or-later
// In what the kernels of each family differ. A descriptor has one of these values, and only the
// source of its family reads it (families/). What a kernel has a tile parameter for is not
// repeated here: STAGES means that K tiles are fetched ahead, GROUP that blocks are rasterised,
// CLUSTER that they run in clusters.
#pragma once

#include <cstdint>
#include <variant>

#include "kernels/tile/features.h"
#include "kernels/tile/mma.h"

namespace tileloom {

// Threads multiply with FFMA.
struct Simt {
  enum class Owns : std::uint8_t {
    Element,   // of C
    Column,    // TM x 1 elements
    Tile,      // TM x TN
    WarpTile,  // TM x TN in each subtile of its warp's WM x WN rectangle
  };
  // How a block fills the tiles of A and B in shared memory.
  enum class Fill : std::uint8_t {
    None,       // it has none
    Element,    // each thread moves one element of A and one of B
    Floats,     // float by float
    OneFloat4,  // each thread moves exactly one float4 of A and one of B
    Float4s,    // float4 by float4
  };
  // How the next K tile is fetched while this one is used.
  enum class Next : std::uint8_t {
    No,            // it is not
    Registers,     // staged in registers
    AInRegisters,  // A is staged in registers, B is copied asynchronously
    Copied,        // copied asynchronously: A by floats, B by float4
  };

  Owns owns = Owns::Element;
  Fill fill = Fill::None;
  Next next = Next::No;
  bool runs = false;            // A is fetched in runs of a sector, down the rows
  bool fragmentsAhead = false;  // a second set of fragments is loaded while one is used

  bool operator==(const Simt&) const = default;
};

// Warps own WM x WN rectangles and multiply with mma.sync.
struct WarpMma {
  enum class Fill : std::uint8_t {
    Registers,  // 16 bytes at a time
    Copied,     // asynchronous copies, in passes of whole rows; C is staged in shared memory
    Tma,        // with zeros outside the matrices
  };

  Mma mma = kUsualWarpMma;
  Fill fill = Fill::Registers;
  bool fragmentsAhead = false;  // as of Simt

  bool operator==(const WarpMma&) const = default;
};

// Groups of four warps multiply BM / CONSUMERS rows each with wgmma; TMA fills their tiles.
struct Warpgroup {
  Mma mma = kUsualGroupMma;
  bool roles = false;         // warp-specialised: a producer issues the TMA loads
  bool registerPool = false;  // register reallocation; the producer is a warpgroup
  bool persistent = false;    // as many blocks as SMs, each of which computes several block tiles
  bool tmaStores = false;     // TMA stores C

  bool operator==(const Warpgroup&) const = default;
};

// A kernel that is not a rung: a recording of one of its blocks says what it does (kernels/own).
struct Own {
  int rows = 0, columns = 0;  // of C, that a block computes
  int stepK = 0;              // elements of K between two fills of shared memory; else slabs
  int threads = 0;            // per block
  int buffers = 0;            // K tiles that shared memory holds at a time
  int sharedBytes = 0;        // per block
  int registers = 0;          // per thread
  Features features;
  const MmaRow* mma = nullptr;  // nullptr: it multiplies with FFMA

  bool operator==(const Own&) const = default;
};

using KernelKind = std::variant<Simt, WarpMma, Warpgroup, Own>;

}  // namespace tileloom
