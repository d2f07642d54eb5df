// SPDX-License-Identifier: GPL-3.0-or-later
// What the judges of machine code know of a block.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "kernels/emulator/judges/judges.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor::recorded {

inline constexpr std::uint32_t kJudgedRegisters = 255;
inline constexpr std::uint32_t kJudgedArray = 0;  // all of shared memory

struct JudgedBlock;

struct JudgedCluster {
  std::vector<JudgedBlock*> blocks;  // by rank
  std::size_t ended = 0;
  std::uint32_t meetings = 0;  // barriers of the cluster that have been passed
};

struct JudgedBlock {
  JudgedBlock(const emulator::judges::Subject& subject, std::uint32_t warps, std::uint32_t number,
              std::uint32_t units)
      : judges(subject, words),
        position(subject.block),
        threads(subject.threads),
        rank(number),
        written(warps),
        excluded(units),
        storeGroups(warps),
        products(warps),
        meetings(warps) {}

  // Whether any of these units is not judged: another block of the cluster has stored there.
  bool excludes(std::uint32_t first, std::uint32_t units) const {
    if (!anyExcluded) return false;
    for (std::uint32_t i = first; i < first + units && i < excluded.size(); ++i)
      if (excluded[i]) return true;
    return false;
  }

  std::vector<emulator::judges::ShadowWord> words;
  emulator::judges::Judges judges;
  Extent position;
  std::uint32_t threads = 0, rank = 0;
  std::uint32_t running = ~0u;  // the warp of the last event
  // By warp and register: lanes that have written it.
  std::vector<std::array<std::uint32_t, kJudgedRegisters>> written;
  // Warps that wait at each barrier, or have come without waiting.
  std::array<std::vector<std::uint32_t>, kBlockBarriers> waiting;
  std::array<bool, kBlockBarriers> numbered{};

  // Units that are not judged.
  std::vector<bool> excluded;
  bool anyExcluded = false;

  // mbarriers: their numbers by place, and their states.
  std::map<std::uint32_t, std::uint32_t> barriers;
  std::vector<emulator::event::BarrierState> states;
  // The last arrival: lanes of an instruction arrive one after the other.
  std::uint32_t arrivedBarrier = ~0u, arrivedWarp = 0, arrivedNumber = 0;

  std::vector<std::uint32_t> storeGroups;  // by warp: groups of TMA stores
  // By warp: groups of wgmma, and by register 1 more than the last group that writes it, or that
  // reads A from it.
  struct Products {
    std::uint32_t committed = 0, complete = 0;
    bool any = false;
    std::array<std::uint32_t, kJudgedRegisters> sums{}, factors{};
  };
  std::vector<Products> products;

  std::shared_ptr<JudgedCluster> cluster;  // of several blocks
  // How often each warp has waited for the cluster, and how many of these are passed in a cluster
  // of one block.
  std::vector<std::uint32_t> meetings;
  std::uint32_t passedMeetings = 0;
};

}  // namespace tileloom::executor::recorded
