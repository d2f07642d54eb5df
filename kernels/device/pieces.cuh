// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of tiles that a cluster of blocks computes, and their order
// (stream-K). It is the same on the GPU and on the host.
//
// Tiles are assigned in waves, one per cluster. If the last wave would leave a
// quarter of the clusters or more without a tile, its tiles are split along K, so
// that all clusters end together. Laid end to end, their K is divided evenly, and
// each cluster gets one stretch of it: a part of one tile, or the end of one and
// the beginning of the next. The cluster with the beginning of a tile adds the
// sums of the clusters with the rest. These arrive earlier: the tile is the last
// piece of the first cluster and the first piece of the others. K is counted in
// rounds of STAGES K tiles each.
#pragma once

#if defined(__CUDACC__)
#define TILELOOM_PIECES __device__ __forceinline__
#else
#define TILELOOM_PIECES constexpr
#endif

struct piece {
  unsigned tile = 0;
  unsigned first = 0, end = 0;  // rounds along K; none: no more pieces
  unsigned number = 0;          // which of the cluster's pieces
};

struct pieces {
  unsigned tiles = 0, rounds = 0;  // all tiles, and the rounds of each
  unsigned cluster = 0, clusters = 0;
  unsigned split = 1;  // the most clusters per tile, on average; 1: no split
  unsigned whole = 0;  // tiles that are not split

  TILELOOM_PIECES pieces(unsigned tiles_, unsigned rounds_, unsigned cluster_, unsigned clusters_, unsigned split_)
      : tiles(tiles_), rounds(rounds_), cluster(cluster_), clusters(clusters_), split(split_), whole(tiles_) {
    const unsigned rest = tiles % clusters;
    if (split > 1 && rest * 4 <= clusters * 3) whole = tiles - rest;
  }
  // Where the stretch of a cluster begins, in rounds from the beginning of the first split tile.
  TILELOOM_PIECES unsigned begin(unsigned its) const {
    const unsigned rest = tiles - whole, most = rest * (split < rounds ? split : rounds);
    const unsigned shares = most < clusters ? most : clusters;  // each has at least one round
    return its >= shares ? rest * rounds : rest * rounds * its / shares;
  }
  // Piece `number` of the cluster, from 0.
  TILELOOM_PIECES piece at(unsigned number) const {
    const unsigned tile = cluster + number * clusters;
    if (tile < whole) return {tile, 0, rounds, number};
    if (whole == tiles || tile >= whole + 2 * clusters) return {0, 0, 0, number};
    unsigned from = begin(cluster);
    const unsigned to = begin(cluster + 1);
    // The second piece of the stretch begins at its second tile.
    if (tile >= whole + clusters) from = (from / rounds + 1) * rounds;
    if (from >= to) return {0, 0, 0, number};
    const unsigned which = from / rounds, first = from - which * rounds, left = first + (to - from);
    return {whole + which, first, left < rounds ? left : rounds, number};
  }
  // Whether `other`, a later cluster, has a part of the tile of `mine`, whose beginning this cluster has.
  TILELOOM_PIECES bool share(const piece& mine, unsigned other) const {
    const unsigned from = begin(other);
    return from < (mine.tile - whole + 1) * rounds && from < begin(other + 1);
  }
};
