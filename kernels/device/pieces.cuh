// SPDX-License-Identifier: GPL-3.0-or-later
// Which pieces of which tiles a cluster of blocks computes, in which order: the same on the GPU and on the host.
//
// Tiles are given out in waves, one per cluster. Where the last wave would leave a quarter of the clusters or more
// without a tile, its tiles are cut along K instead, so that all clusters end together: laid end to end, their K is
// divided evenly, and each cluster takes one stretch of it, which reaches over one tile, or over the end of one and
// the beginning of the next. Whoever has the beginning of a tile adds the sums of those who have the rest of it, which
// come sooner: it is the last piece of the one, and the first of the others. (The literature calls this stream-K.)
// K is counted in rounds, of STAGES K tiles each.
#pragma once

#if defined(__CUDACC__)
#define TILELOOM_PIECES __device__ __forceinline__
// Calculated anew for each piece: to keep what follows from these numbers costs more registers than a producer has.
#define TILELOOM_ANEW(x) asm volatile("" : "+r"(x))
#else
#define TILELOOM_PIECES constexpr
#define TILELOOM_ANEW(x)
#endif

struct piece {
  unsigned tile = 0;
  unsigned first = 0, end = 0;  // rounds along K; none: there are no more pieces
  unsigned number = 0;          // which of the cluster's pieces
};

struct pieces {
  unsigned tiles = 0, rounds = 0;  // all there are, and how many each has
  unsigned cluster = 0, clusters = 0;
  unsigned split = 1;  // how many clusters share a tile at most, on average; 1: none is cut

  // Tiles that are not cut.
  TILELOOM_PIECES unsigned whole() const {
    const unsigned rest = tiles % clusters;
    return split > 1 && rest * 4 <= clusters * 3 ? tiles - rest : tiles;
  }
  // Where the stretch of a cluster begins, in rounds from the beginning of the first tile that is cut.
  TILELOOM_PIECES unsigned begin(unsigned its) const {
    const unsigned rest = tiles - whole(), shares = rest * split < clusters ? rest * split : clusters;
    return its >= shares ? rest * rounds : rest * rounds * its / shares;
  }
  // Piece `number` of the cluster, from 0.
  TILELOOM_PIECES piece at(unsigned number) const {
    pieces p = *this;
    TILELOOM_ANEW(p.clusters);
    const unsigned uncut = p.whole(), tile = cluster + number * p.clusters;
    if (tile < uncut) return {tile, 0, rounds, number};
    unsigned from = p.begin(cluster);
    const unsigned to = p.begin(cluster + 1);
    // The second one of the stretch begins where its second tile does.
    if (tile >= uncut + p.clusters) from = (from / rounds + 1) * rounds;
    if (from >= to || tile >= uncut + 2 * p.clusters) return {0, 0, 0, number};
    const unsigned which = from / rounds, first = from - which * rounds, left = first + (to - from);
    return {uncut + which, first, left < rounds ? left : rounds, number};
  }
  // Whether `other`, a later cluster, has a part of the tile of `mine`, of which this cluster has the beginning.
  TILELOOM_PIECES bool share(const piece& mine, unsigned other) const {
    const unsigned from = begin(other);
    return from < (mine.tile - whole() + 1) * rounds && from < begin(other + 1);
  }
};
