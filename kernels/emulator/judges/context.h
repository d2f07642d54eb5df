// SPDX-License-Identifier: GPL-3.0-or-later
// What all judges of a block share: the block, its faults, its shadow memory, the order of its
// events, and the requests that sentences name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/emulator/fault.h"
#include "kernels/emulator/judges/happens.h"
#include "kernels/emulator/judges/place.h"
#include "kernels/emulator/judges/requests.h"
#include "kernels/emulator/judges/shadow.h"
#include "kernels/emulator/origin.h"

namespace tileloom::emulator::judges {

// How accesses of threads are ordered: by the barriers of the whole block alone, or by clocks,
// which any kernel can have. The first is faster.
enum class Order : std::uint8_t { Intervals, Clocks };

// The block that is judged.
struct Subject {
  std::string kernel, file;  // as sentences name them
  Extent block{0, 0};
  std::uint32_t threads = 0;
  Order order = Order::Intervals;
  // Its arrays, which live as long as its judges; later ones may be added.
  const std::vector<Array>* arrays = nullptr;
  // The flags that blocks have set in global memory, each with the fault to report if no block
  // clears it; nullptr: the kernel has none.
  std::map<std::int64_t, Fault>* flags = nullptr;
  // Of an executor that orders the threads of a warp by its instructions, and knows no arrays: each
  // event names the first thread of its warp, and sentences name warps and bytes. A word of shared
  // memory has this many bytes; 0: sentences name threads and elements.
  std::uint32_t wordBytes = 0;
};

struct Context {
  Context(const Subject& block, std::vector<ShadowWord>& words);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Subject subject;
  Place place;
  std::vector<Context*> cluster;  // by rank, including itself
  FaultLog faults;
  Shadow shadow;
  Happens happens;
  Requests requests;

  const Array& array(std::uint32_t number) const { return (*subject.arrays)[number]; }
  std::uint32_t warps() const { return (subject.threads + kWarpSize - 1) / kWarpSize; }
  Context* peer(std::uint32_t number) const {
    return number < cluster.size() ? cluster[number] : nullptr;
  }
  std::uint32_t who(std::uint32_t thread) const { return place.who(thread); }

  Fault faultOf(FaultKind kind, const Origin& at) const;
  void report(Fault fault) { faults.add(std::move(fault)); }
  // `detail` as in Fault.
  void report(FaultKind kind, const Origin& at, std::string detail);
  // A fault of an access to an element.
  void reportElement(FaultKind kind, const Origin& at, std::uint32_t array, std::int64_t index,
                     bool store, int otherThread = -1);

  // ---- parts of sentences
  // The name of a function of the kernels' sources, or what machine code has of it.
  const char* named(const char* function, const char* machine) const {
    return subject.wordBytes == 0 ? function : machine;
  }
  // " in line 48", or with another word; empty: the line is not known.
  std::string lineText(int line, const char* word = "in") const;
  std::string wordText(std::uint32_t array, std::int64_t index) const;  // "As[12]"
  std::string barrierText(std::uint32_t number) const;                  // "full[0]"
  // "thread 3", of this block or another one of its cluster; `who` as in a stamp.
  std::string threadText(std::uint32_t who) const;
  std::string elementText(Provenance p) const;  // "A[3][5]"
  // "the box of A at row 0 and column 32 (line 41)"
  std::string boxText(const BoxRecord& box) const;
  // The box that has brought the word with this stamp, and what to wait for.
  std::string boxText(std::uint32_t written, std::uint32_t array, std::int64_t index) const;
  // "2 TMA loads bring 16384: the box of A …"
  std::string boxesText(std::uint32_t barrier, std::uint32_t phase) const;
  // "it lacks 1 of 1 arrival, and thread 0, which arrived last (line 40), waits, too"
  std::string owing(std::uint32_t barrier, const event::BarrierState& state) const;
};

// The function of a warp-wide instruction, as kernels call it.
const char* wordFor(Kind kind, bool turned);

}  // namespace tileloom::emulator::judges
