// SPDX-License-Identifier: GPL-3.0-or-later
// Which pieces of which tiles a cluster of blocks computes, and in which order
// (stream-K). It is the same on the GPU and on the host.
//
// Tiles are dealt out in waves, one per cluster. Where the last wave would leave
// a quarter of the clusters or more without a tile, its tiles are cut along K, so
// that all clusters end together. Laid end to end, their K is divided evenly, and
// each cluster takes one stretch of it: a part of one tile, or the end of one and
// the beginning of the next. The cluster with the beginning of a tile adds the
// sums of the clusters with the rest. Those arrive sooner: the tile is the last
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
  unsigned first = 0, end = 0;  // rounds along K; none: there are no more pieces
  unsigned number = 0;          // which of the cluster's pieces
};

struct pieces {
  unsigned tiles = 0, rounds = 0;  // all there are, and how many each has
  unsigned cluster = 0, clusters = 0;
  unsigned split = 1;  // how many clusters share a tile at most, on average; 1: none is cut
  unsigned whole = 0;  // tiles that are not cut

  TILELOOM_PIECES pieces(unsigned tiles_, unsigned rounds_, unsigned cluster_, unsigned clusters_, unsigned split_)
      : tiles(tiles_), rounds(rounds_), cluster(cluster_), clusters(clusters_), split(split_), whole(tiles_) {
    const unsigned rest = tiles % clusters;
    if (split > 1 && rest * 4 <= clusters * 3) whole = tiles - rest;
  }
  // Where the stretch of a cluster begins, in rounds from the beginning of the first tile that is cut.
  TILELOOM_PIECES unsigned begin(unsigned its) const {
    const unsigned rest = tiles - whole, most = rest * (split < rounds ? split : rounds);
    const unsigned shares = most < clusters ? most : clusters;  // each has a round at least
    return its >= shares ? rest * rounds : rest * rounds * its / shares;
  }
  // Piece `number` of the cluster, from 0.
  TILELOOM_PIECES piece at(unsigned number) const {
    const unsigned tile = cluster + number * clusters;
    if (tile < whole) return {tile, 0, rounds, number};
    if (whole == tiles || tile >= whole + 2 * clusters) return {0, 0, 0, number};
    unsigned from = begin(cluster);
    const unsigned to = begin(cluster + 1);
    // The second one of the stretch begins where its second tile does.
    if (tile >= whole + clusters) from = (from / rounds + 1) * rounds;
    if (from >= to) return {0, 0, 0, number};
    const unsigned which = from / rounds, first = from - which * rounds, left = first + (to - from);
    return {whole + which, first, left < rounds ? left : rounds, number};
  }
  // Whether `other`, a later cluster, has a part of the tile of `mine`, of which this cluster has the beginning.
  TILELOOM_PIECES bool share(const piece& mine, unsigned other) const {
    const unsigned from = begin(other);
    return from < (mine.tile - whole + 1) * rounds && from < begin(other + 1);
  }
};
