// SPDX-License-Identifier: GPL-3.0-or-later
// The origins of what memory holds.
#include <algorithm>
#include <bit>

#include "kernels/executor/recorded/origins.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor::recorded {
namespace {

constexpr std::uint32_t kWordBytes = 4, kHalfBytes = 2, kEdge = 8;

std::uint32_t laneOf(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::uint32_t wordsOf(const Access& access) {
  return std::max(1u, access.bytes / kWordBytes);
}

// Where element `i` of a lane's register `number` is in shared memory (PTX ISA, ldmatrix).
std::uint64_t placeOf(const Access& access, const Operation& o, std::uint32_t number,
                      std::uint32_t lane, std::uint32_t i) {
  const std::uint32_t first = lane / 4, second = lane % 4 * 2 + i;
  const std::uint32_t line = o.transposed ? second : first;
  const std::uint32_t column = o.transposed ? first : second;
  return access.at[number * kEdge + line] + std::uint64_t{column} * kHalfBytes;
}

}  // namespace

void Origins::pass(const Access& access, const Operation& o) {
  for (std::uint32_t word = 0; word < kMostWords; ++word) accessed_[word] = &scratch_[word];
  switch (access.use) {
    case Use::Load:
      return loaded(access, o);
    case Use::Store:
      return stored(access, o);
    case Use::Copy:
      return copied(access);
    case Use::MatrixLoad:
      return loadedMatrices(access, o);
    case Use::MatrixStore:
      return storedMatrices(access, o);
    case Use::Reduction:
    case Use::Atomic:
      return;
  }
}

// The word of memory that holds this byte.
WordTags Origins::readWord(const Access& access, std::uint32_t lane, std::uint64_t at) const {
  const std::uint64_t word = at / kWordBytes;
  switch (access.memory) {
    case Memory::Global:
      return elementsAt(at / kWordBytes * kWordBytes);
    case Memory::Shared:
      return word < shared_.size() ? shared_[word] : WordTags{};
    case Memory::Local: {
      const auto& local = warps_[access.warp].local[lane];
      return word < local.size() ? local[word] : WordTags{};
    }
  }
  return {};
}

// Whole words of shared memory.
void Origins::loadedShared(const Access& access, const Operation& o) {
  const std::uint32_t words = wordsOf(access);
  for (std::uint32_t word = 0; word < words; ++word) {
    TagRow& to = o.result < kZeroRow ? written(access.warp, o, word) : scratch_[word];
    accessed_[word] = &to;
    std::uint32_t upper = to.anyUpper ? 1 : 0;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = laneOf(rest);
      const WordTags tags = sharedAt(access.at[lane] + std::uint64_t{word} * kWordBytes);
      to.lower.lane[lane] = tags[0];
      to.upper.lane[lane] = tags[1];
      upper |= tags[1];
    }
    to.anyLower = true;
    to.anyUpper = upper != 0;
  }
}

void Origins::loaded(const Access& access, const Operation& o) {
  if (access.memory == Memory::Shared && access.bytes >= kWordBytes) return loadedShared(access, o);
  const std::uint32_t words = wordsOf(access);
  for (std::uint32_t word = 0; word < words; ++word) {
    TagRow& to = o.result < kZeroRow ? written(access.warp, o, word) : scratch_[word];
    accessed_[word] = &to;
    to.anyLower = to.anyUpper = true;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = laneOf(rest);
      const std::uint64_t at = access.at[lane] + std::uint64_t{word} * kWordBytes;
      const WordTags tags = readWord(access, lane, at);
      if (access.bytes >= kWordBytes) {
        to.lower.lane[lane] = tags[0];
        to.upper.lane[lane] = tags[1];
      } else {
        // Half a word is in the lower half of the register, and a byte is not an element.
        const bool half = access.bytes == kHalfBytes;
        to.lower.lane[lane] = half ? tags[at % kWordBytes / kHalfBytes] : 0;
        to.upper.lane[lane] = 0;
      }
    }
  }
}

void Origins::stored(const Access& access, const Operation& o) {
  const std::uint32_t words = wordsOf(access);
  const Role* const role =
      access.memory == Memory::Global ? roleAt(access.at[laneOf(access.lanes)]) : nullptr;
  const bool result = role != nullptr && role->matrix == emulator::Provenance::Source::C;
  for (std::uint32_t word = 0; word < words; ++word) {
    const auto number = o.a.row >= kZeroRow ? kZeroRow : o.a.row + word;
    const TagRow& from = row(access.warp, static_cast<std::uint16_t>(number));
    accessed_[word] = &from;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = laneOf(rest), thread = access.warp * kLanes + lane;
      const std::uint64_t at = access.at[lane] + std::uint64_t{word} * kWordBytes;
      const std::uint32_t low = from.low().lane[lane], high = from.high().lane[lane];
      if (access.memory == Memory::Global) {
        if (!result) continue;
        const bool two = role->bytes == kHalfBytes && access.bytes >= kWordBytes;
        known_.ofStored += two ? 2 : 1;
        known_.stored += (isSum(low) ? 1u : 0u) + (two && isSum(high) ? 1u : 0u);
        continue;
      }
      const bool local = access.memory == Memory::Local;
      auto& words_ = local ? warps_[access.warp].local[lane] : shared_;
      const std::uint64_t place = at / kWordBytes;
      if (local && words_.size() <= place) words_.resize(place + 1);
      if (place >= words_.size()) continue;
      // Local memory is the thread's own.
      const std::uint32_t first = local ? low : abroad(low, thread);
      const std::uint32_t second = local ? high : abroad(high, thread);
      if (access.bytes >= kWordBytes)
        words_[place] = {first, second};
      else
        words_[place][at % kWordBytes / kHalfBytes] = access.bytes == kHalfBytes ? first : 0;
    }
  }
}

void Origins::copied(const Access& access) {
  for (std::uint32_t word = 0; word < wordsOf(access); ++word) {
    TagRow& made = scratch_[word];
    made.anyLower = made.anyUpper = true;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = laneOf(rest);
      const bool reads = (access.reads >> lane & 1) != 0;
      const WordTags tags =
          reads ? elementsAt(access.from[lane] + std::uint64_t{word} * kWordBytes) : WordTags{};
      made.lower.lane[lane] = tags[0];
      made.upper.lane[lane] = tags[1];
      const std::uint64_t place = access.at[lane] / kWordBytes + word;
      if (place < shared_.size()) shared_[place] = tags;
    }
  }
}

void Origins::loadedMatrices(const Access& access, const Operation& o) {
  for (std::uint32_t number = 0; number < o.table; ++number) {
    TagRow& to = o.result < kZeroRow ? written(access.warp, o, number) : scratch_[number];
    accessed_[number] = &to;
    to.anyLower = to.anyUpper = true;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint64_t at = placeOf(access, o, number, lane, i);
        const WordTags tags = readWord(access, lane, at);
        (i == 1 ? to.upper : to.lower).lane[lane] = tags[at % kWordBytes / kHalfBytes];
      }
    }
  }
}

void Origins::storedMatrices(const Access& access, const Operation& o) {
  for (std::uint32_t number = 0; number < o.table; ++number) {
    const auto from = o.a.row >= kZeroRow ? kZeroRow : o.a.row + number;
    const TagRow& tags = row(access.warp, static_cast<std::uint16_t>(from));
    accessed_[number] = &tags;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint64_t at = placeOf(access, o, number, lane, i);
        const std::uint64_t place = at / kWordBytes;
        if (place >= shared_.size()) continue;
        const std::uint32_t tag = (i == 1 ? tags.high() : tags.low()).lane[lane];
        shared_[place][at % kWordBytes / kHalfBytes] = abroad(tag, access.warp * kLanes + lane);
      }
    }
  }
}

}  // namespace tileloom::executor::recorded
