// SPDX-License-Identifier: GPL-3.0-or-later
// A micro-case: a loop of machine instructions that is only measured, to learn what the register
// file and shared loads cost. The instructions are between fixed ones that close the loop, in a
// kernel that reads the clock before and after it (kernels/gpu/measure/micro_case.cu).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/decode.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

// The 16 bytes of shared memory that each lane reads or writes in all accesses of a case.
enum class LaneAddresses {
  One,     // all lanes the same
  Pairs1,  // lanes l and l ^ 1 the same, otherwise different
  Pairs2,  // lanes l and l ^ 2
  Pairs4,  // lanes l and l ^ 4
  Xor,     // 8 different ones, no lane that of l ^ 1 or l ^ 2: a possible pattern of fragments of a
           // warp
  Own,     // 32 different ones
};
inline constexpr std::size_t kLaneAddresses = 6;
std::string_view name(LaneAddresses addresses);  // "one", "pairs-1", …
// In bytes, from the start of the case's shared memory.
std::array<std::uint32_t, 32> bytesOf(LaneAddresses addresses);
// Whether wide loads from these addresses are served for two parts of the warp at once
// (docs/hardware.md, rule 4).
bool paired(LaneAddresses addresses);

struct MicroCase {
  static constexpr std::size_t kSlots = 256;
  std::string name;  // unique, of lower-case letters, digits and "-./+"
  LaneAddresses addresses = LaneAddresses::Own;
  std::vector<Decoded> code;  // kSlots instructions
};

// One iteration of the loop as it is executed: the slots of the case, and what closes the loop.
std::vector<Decoded> turnOf(const MicroCase& which);
Listing listingOf(const MicroCase& which);  // of the iteration

// The kernel of micro_case.cu, compiled for compute capability 9.0, with the instructions of this
// case. The error is one sentence without a full stop: the compiler has changed the kernel in an
// unexpected way, or the case has an instruction that cannot be encoded.
tl::expected<std::vector<char>, std::string> microCubin(std::span<const char> compiled,
                                                        const MicroCase& which);

}  // namespace tileloom::sass
