// SPDX-License-Identifier: GPL-3.0-or-later
// Mutations of the words of roles.cuh, cluster.cuh, stored.cuh and split.cuh, like those of
// mutant_thread.h.
#pragma once

#include "tests/support/mutant_thread.h"

namespace tileloom::test {

class MutantRolesThread : public MutantThread {
 public:
  using MutantThread::MutantThread;

 protected:
  using Sums = emulator::Registers;
  using Pairs = emulator::Fragments;
  using Place = emulator::Pointer;

  // One of each warpgroup's, and one that has no special task.
  bool someWarp() const { return threadIdx.x / 32 % 4 == 2; }
  bool someLane() const { return threadIdx.x == 37; }

  // ---- roles.cuh
  void arrive(const Barriers& bar, int line = __builtin_LINE()) const {
    if (changed("arrive", line, "left out")) return;
    if (changed("arrive", line, "twice")) SplitThread::arrive(bar, line);
    SplitThread::arrive(changed("arrive", line, "at the next barrier") ? bar + 1 : bar, line);
  }
  void meet(uint number, uint threads, int line = __builtin_LINE()) const {
    if (changed("meet", line, "left out")) return;
    if (changed("meet", line, "left out by a warp") && someWarp()) return;
    if (changed("meet", line, "32 threads more")) threads += 32;
    if (changed("meet", line, "32 threads fewer")) threads -= 32;
    if (changed("meet", line, "elsewhere for a warp") && someWarp()) ++number;
    SplitThread::meet(number, threads, line);
  }
  void meet_warp(int line = __builtin_LINE()) const {
    if (changed("meet_warp", line, "left out")) return;
    if (changed("meet_warp", line, "left out by a lane") && someLane()) return;
    SplitThread::meet_warp(line);
  }
  void keep_registers(uint perThread, int line = __builtin_LINE()) const {
    if (changed("keep_registers", line, "left out")) return;
    if (changed("keep_registers", line, "left out by a warp") && someWarp()) return;
    if (changed("keep_registers", line, "8 more")) perThread += 8;
    if (changed("keep_registers", line, "8 fewer")) perThread -= 8;
    SplitThread::keep_registers(perThread, line);
  }
  void take_registers(uint perThread, int line = __builtin_LINE()) const {
    if (changed("take_registers", line, "left out")) return;
    if (changed("take_registers", line, "left out by a warp") && someWarp()) return;
    if (changed("take_registers", line, "left out by a lane") && someLane()) return;
    if (changed("take_registers", line, "8 more")) perThread += 8;
    if (changed("take_registers", line, "8 fewer")) perThread -= 8;
    SplitThread::take_registers(perThread, line);
  }

  // ---- cluster.cuh
  void meet_cluster(int line = __builtin_LINE()) const {
    if (changed("meet_cluster", line, "left out")) return;
    if (changed("meet_cluster", line, "left out by a block") && blockIdx.x % 2 == 1) return;
    if (changed("meet_cluster", line, "left out by a warp") && someWarp()) return;
    if (changed("meet_cluster", line, "left out by a lane") && someLane()) return;
    SplitThread::meet_cluster(line);
  }
  void arrive_at(const Barriers& bar, uint rank, int line = __builtin_LINE()) const {
    if (changed("arrive_at", line, "left out")) return;
    if (changed("arrive_at", line, "left out for rank 0") && rank == 0) return;
    if (changed("arrive_at", line, "at the own block only")) rank = blockIdx.x % CLUSTER;
    if (changed("arrive_at", line, "twice")) SplitThread::arrive_at(bar, rank, line);
    SplitThread::arrive_at(changed("arrive_at", line, "at the next barrier") ? bar + 1 : bar, rank,
                           line);
  }
  void load_box_to(uint ranks, const Halves& to, const Map& from, uint x, uint y,
                   const Barriers& bar, int line = __builtin_LINE()) const {
    const auto load = [&](const Halves& at, uint column, uint row, int barrier) {
      SplitThread::load_box_to(ranks, at, from, column, row, bar + barrier, line);
    };
    if (changed("load_box_to", line, "left out")) return;
    if (changed("load_box_to", line, "for its own block only")) ranks = 1u << blockIdx.x % CLUSTER;
    if (changed("load_box_to", line, "for a block more")) ranks |= 1u << CLUSTER;
    if (changed("load_box_to", line, "twice")) load(to, x, y, 0);
    if (changed("load_box_to", line, "8 columns further")) return load(to, x + 8, y, 0);
    if (changed("load_box_to", line, "a row further")) return load(to, x, y + 1, 0);
    if (changed("load_box_to", line, "column and row exchanged")) return load(to, y, x, 0);
    if (changed("load_box_to", line, "8 elements beside")) return load(to + 8, x, y, 0);
    if (changed("load_box_to", line, "8 rows beside")) return load(to + 4 * SWIZZLE, x, y, 0);
    if (changed("load_box_to", line, "on the next barrier")) return load(to, x, y, 1);
    load(to, x, y, 0);
  }

  // ---- stored.cuh
  template <emulator::Readable L, emulator::Readable R>
  void pack_to(const Pairs& r, const L& low, const R& high, int line = __builtin_LINE()) const {
    if (changed("pack_to", line, "left out")) return;
    if (changed("pack_to", line, "halves exchanged"))
      return SplitThread::pack_to(r, high, low, line);
    SplitThread::pack_to(changed("pack_to", line, "in the next register") ? r + 1 : r, low, high,
                         line);
  }
  void store_matrices(const Halves& p, const Pairs& r, int line = __builtin_LINE()) const {
    if (changed("store_matrices", line, "left out")) return;
    if (changed("store_matrices", line, "left out by a warp") && someWarp()) return;
    if (changed("store_matrices", line, "left out by a lane") && someLane()) return;
    if (changed("store_matrices", line, "8 elements beside"))
      return SplitThread::store_matrices(p + 8, r, line);
    if (changed("store_matrices", line, "a row of the next lane"))
      return SplitThread::store_matrices(someLane() ? p + 8 : p, r, line);
    if (changed("store_matrices", line, "8 rows beside"))
      return SplitThread::store_matrices(p + 4 * SWIZZLE, r, line);
    SplitThread::store_matrices(p, r, line);
  }
  void meet_group(int line = __builtin_LINE()) const {
    if (changed("meet_group", line, "left out")) return;
    if (changed("meet_group", line, "left out by a warp") && someWarp()) return;
    SplitThread::meet_group(line);
  }
  void store_box(const Map& to, uint x, uint y, const Halves& from,
                 int line = __builtin_LINE()) const {
    const auto store = [&](uint column, uint row, const Halves& at) {
      SplitThread::store_box(to, column, row, at, line);
    };
    if (changed("store_box", line, "left out")) return;
    if (changed("store_box", line, "8 columns further")) return store(x + 8, y, from);
    if (changed("store_box", line, "a row further")) return store(x, y + 1, from);
    if (changed("store_box", line, "column and row exchanged")) return store(y, x, from);
    if (changed("store_box", line, "8 elements beside")) return store(x, y, from + 8);
    if (changed("store_box", line, "8 rows beside")) return store(x, y, from + 4 * SWIZZLE);
    store(x, y, from);
  }
  void commit_boxes(int line = __builtin_LINE()) const {
    if (!changed("commit_boxes", line, "left out")) SplitThread::commit_boxes(line);
  }
  void wait_boxes(uint newest, int line = __builtin_LINE()) const {
    if (changed("wait_boxes", line, "left out")) return;
    if (changed("wait_boxes", line, "for one group less")) ++newest;
    SplitThread::wait_boxes(newest, line);
  }

  // ---- split.cuh
  piece first_piece(const pieces& all, int line = __builtin_LINE()) const {
    const piece first = SplitThread::first_piece(all);
    if (changed("first_piece", line, "none")) return {};
    return changed("first_piece", line, "the second one") ? SplitThread::next_piece(all, first)
                                                          : first;
  }
  piece next_piece(const pieces& all, const piece& at, int line = __builtin_LINE()) const {
    const piece next = SplitThread::next_piece(all, at);
    if (changed("next_piece", line, "none")) return {};
    return changed("next_piece", line, "the next one") ? SplitThread::next_piece(all, next) : next;
  }
  bool backwards(const piece& at, int line = __builtin_LINE()) const {
    if (changed("backwards", line, "always")) return true;
    if (changed("backwards", line, "never")) return false;
    return SplitThread::backwards(at);
  }
  static std::uint64_t further(std::uint64_t operand, uint elements, int line = __builtin_LINE()) {
    if (changed("further", line, "not at all")) elements = 0;
    if (changed("further", line, "16 elements more")) elements += 16;
    if (changed("further", line, "half as far")) elements = elements / 16 * 8;
    return SplitThread::further(operand, elements);
  }
  void multiply_group(const Sums& acc, uint columns, std::uint64_t a, std::uint64_t b, bool keep,
                      int line = __builtin_LINE()) const {
    if (changed("multiply_group", line, "left out")) return;
    if (changed("multiply_group", line, "left out by a warp") && someWarp()) return;
    if (changed("multiply_group", line, "left out by a lane") && someLane()) return;
    if (changed("multiply_group", line, "twice"))
      SplitThread::multiply_group(acc, columns, a, b, keep, line);
    if (changed("multiply_group", line, "operands exchanged")) std::swap(a, b);
    if (changed("multiply_group", line, "keeps always")) keep = true;
    if (changed("multiply_group", line, "keeps never")) keep = false;
    if (changed("multiply_group", line, "a lane keeps always") && someLane()) keep = true;
    SplitThread::multiply_group(acc, columns, a, b, keep, line);
  }
  void leave_sums(const Place& p, const Sums& acc, uint count, int line = __builtin_LINE()) const {
    if (changed("leave_sums", line, "left out")) return;
    if (changed("leave_sums", line, "left out by a warp") && someWarp()) return;
    if (changed("leave_sums", line, "left out by a lane") && someLane()) return;
    if (changed("leave_sums", line, "four fewer")) count -= 4;
    SplitThread::leave_sums(changed("leave_sums", line, "beside") ? p + 4 : p, acc, count, line);
  }
  void add_sums(const Sums& acc, const Place& p, uint count, int line = __builtin_LINE()) const {
    if (changed("add_sums", line, "left out")) return;
    if (changed("add_sums", line, "left out by a lane") && someLane()) return;
    if (changed("add_sums", line, "twice")) SplitThread::add_sums(acc, p, count, line);
    if (changed("add_sums", line, "four fewer")) count -= 4;
    SplitThread::add_sums(acc, changed("add_sums", line, "beside") ? p + 4 : p, count, line);
  }
  void tell(const Place& flag, int line = __builtin_LINE()) const {
    if (changed("tell", line, "left out")) return;
    if (changed("tell", line, "twice")) SplitThread::tell(flag, line);
    SplitThread::tell(changed("tell", line, "with the next flag") ? flag + 1 : flag, line);
  }
  void await(const Place& flag, int line = __builtin_LINE()) const {
    if (changed("await", line, "left out")) return;
    SplitThread::await(changed("await", line, "the next flag") ? flag + 1 : flag, line);
  }
};

}  // namespace tileloom::test

#undef ROLES_KERNEL
#define ROLES_KERNEL(kernel_name, threads)                                                    \
  TILELOOM_MUTANT(kernel_name, MutantRolesThread, uint M, uint N, uint K, TENSOR A, TENSOR B, \
                  gmem<element> C)
#undef CLUSTER_KERNEL
#define CLUSTER_KERNEL(kernel_name, threads) ROLES_KERNEL(kernel_name, threads)
#undef STORED_KERNEL
#define STORED_KERNEL(kernel_name, threads)                                                   \
  TILELOOM_MUTANT(kernel_name, MutantRolesThread, uint M, uint N, uint K, TENSOR A, TENSOR B, \
                  TENSOR C)
#undef SPLIT_KERNEL
#define SPLIT_KERNEL(kernel_name, threads)                                                    \
  TILELOOM_MUTANT(kernel_name, MutantRolesThread, uint M, uint N, uint K, TENSOR A, TENSOR B, \
                  TENSOR C, gmem<float> left)

// split.cuh has given them other numbers (register_pool.cuh).
#undef PRODUCER_REGISTERS
#define PRODUCER_REGISTERS TILELOOM_PRODUCER_REGISTERS(CONSUMERS)
#undef CONSUMER_REGISTERS
#define CONSUMER_REGISTERS TILELOOM_CONSUMER_REGISTERS(CONSUMERS)
