// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tileloom::emulator {
namespace {

constexpr std::uint32_t kFirstWords = 1u << 14;
constexpr std::uint32_t kFirstCodes = 1u << 13;

}  // namespace

void Recorder::begin(bool operands) {
  operands_ = operands;
  if (words_ == nullptr) {
    wordCapacity_ = kFirstWords;
    codeCapacity_ = kFirstCodes;
    words_ =
        std::make_unique_for_overwrite<std::uint32_t[]>(std::size_t{wordCapacity_} * kWarpSize);
    codes_ = std::make_unique_for_overwrite<CodeWord[]>(std::size_t{codeCapacity_} * kWarpSize);
  }
}

void Recorder::beginWarp(std::uint32_t warp) {
  warp_ = warp;
  active_ = 0;
  std::fill(std::begin(wordCount_), std::end(wordCount_), 0);
  std::fill(std::begin(codeCount_), std::end(codeCount_), 0);
}

void Recorder::beginLane(std::uint32_t lane) {
  lane_ = lane;
  active_ |= 1u << lane;
  word_ = words_.get() + std::size_t{lane} * wordCapacity_;
  wordEnd_ = word_ + wordCapacity_;
  code_ = codes_.get() + std::size_t{lane} * codeCapacity_;
  codeEnd_ = code_ + codeCapacity_;
}

void Recorder::continueLane(std::uint32_t lane) {
  lane_ = lane;
  word_ = words_.get() + std::size_t{lane} * wordCapacity_ + wordCount_[lane];
  wordEnd_ = words_.get() + std::size_t{lane + 1} * wordCapacity_;
  code_ = codes_.get() + std::size_t{lane} * codeCapacity_ + codeCount_[lane];
  codeEnd_ = codes_.get() + std::size_t{lane + 1} * codeCapacity_;
}

void Recorder::endLane() {
  wordCount_[lane_] =
      static_cast<std::uint32_t>(word_ - (words_.get() + std::size_t{lane_} * wordCapacity_));
  codeCount_[lane_] =
      static_cast<std::uint32_t>(code_ - (codes_.get() + std::size_t{lane_} * codeCapacity_));
}

// Doubles the space of all lanes and keeps their records. Rare: the buffers are kept between
// traces.
void Recorder::grow(std::uint32_t words) {
  endLane();
  const auto widen = [&]<class T>(std::unique_ptr<T[]>& buffer, std::uint32_t& capacity,
                                  const std::uint32_t* counts) {
    auto bigger = std::make_unique_for_overwrite<T[]>(std::size_t{capacity} * 2 * kWarpSize);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      std::copy_n(buffer.get() + std::size_t{lane} * capacity, counts[lane],
                  bigger.get() + std::size_t{lane} * capacity * 2);
    }
    buffer = std::move(bigger);
    capacity *= 2;
  };
  if (wordCount_[lane_] + words > wordCapacity_) widen(words_, wordCapacity_, wordCount_);
  if (codeCount_[lane_] + 1 > codeCapacity_) widen(codes_, codeCapacity_, codeCount_);
  continueLane(lane_);
}

void Recorder::see(const event::MatrixRow& e) {
  const std::uint32_t elements = kRowWords * e.parts;
  reserve(1 + elements);
  code({e.kind, kRowWords, e.array, lineOf(e.at), e.parts, e.turned});
  std::uint32_t* to = word_;
  *to++ = e.index;
  for (std::uint32_t i = 0; i < elements; ++i) *to++ = e.elements[i].bits();
  word_ = to;
}

// Without operands an Mma has no payload.
void Recorder::see(const event::LaneMma& e) {
  const MmaRow& mma = *e.mma;
  reserve(mma.laneOperands());
  code({Kind::Mma, 0, static_cast<std::uint32_t>(mma.mma), lineOf(e.at)});
  if (!operands_) return;
  std::uint32_t* to = word_;
  for (std::uint32_t i = 0; i < mma.laneA(); ++i) *to++ = e.a[i].provenance.bits();
  for (std::uint32_t i = 0; i < mma.laneB(); ++i) *to++ = e.b[i].provenance.bits();
  for (std::uint32_t i = 0; i < mma.laneC(); ++i) *to++ = e.sums[i].provenance.bits();
  word_ = to;
}

std::uint32_t Recorder::wordsOf(CodeWord code) const {
  switch (const Payload payload = kindRow(code.kind()).payload; payload) {
    case Payload::Elements:
      return 1 + code.count() * code.parts();
    case Payload::Operands:
      if (!operands_) return 0;
      return code.kind() == Kind::Fma ? kFmaOperands
                                      : rowOf(static_cast<Mma>(code.array())).laneOperands();
    default:
      return static_cast<std::uint32_t>(payload);
  }
}

Instruction Recorder::decode(CodeWord code) const {
  Instruction instruction;
  instruction.kind = code.kind();
  instruction.width = static_cast<std::uint8_t>(code.count());
  instruction.array = static_cast<std::uint8_t>(code.array());
  instruction.line = static_cast<std::uint16_t>(code.line());
  instruction.parts = code.parts() & 0xF;
  instruction.turned = code.turned();
  return instruction;
}

bool Recorder::uniform() const {
  static_assert(std::has_unique_object_representations_v<CodeWord>);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active_));
  const CodeWord* reference = codes_.get() + std::size_t{first} * codeCapacity_;
  for (std::uint32_t lane = first + 1; lane < kWarpSize; ++lane) {
    if ((active_ >> lane & 1u) == 0) continue;
    if (codeCount_[lane] != codeCount_[first] ||
        std::memcmp(codes_.get() + std::size_t{lane} * codeCapacity_, reference,
                    codeCount_[first] * sizeof(CodeWord)) != 0) {
      return false;
    }
  }
  return true;
}

void Recorder::groupUniform() {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active_));
  const CodeWord* codes = codes_.get() + std::size_t{first} * codeCapacity_;
  const std::uint32_t* words = words_.get() + std::size_t{first} * wordCapacity_;
  std::uint32_t kTile = kNoTile, region = 0, offset = 0;
  std::uint16_t dot = kNoDot;
  for (std::uint32_t i = 0; i < codeCount_[first]; ++i) {
    const CodeWord code = codes[i];
    if (code.kind() == Kind::Position) {
      kTile = words[offset];
      dot = static_cast<std::uint16_t>(words[offset + 1]);
      region += code.array();
    } else {
      Instruction instruction = decode(code);
      instruction.offset = offset;
      instruction.mask = active_;
      instruction.kTile = kTile;
      instruction.dot = dot;
      instruction.region = region;
      instructions_.push_back(instruction);
    }
    offset += wordsOf(code);
  }
}

// Lanes took different paths: an instruction is (code, how often the lane has met it, position),
// and a lane's new instructions are inserted after the last one that it shares with earlier lanes.
void Recorder::groupDivergent() {
  struct Entry {
    Instruction instruction;
    std::uint32_t offsets[kWarpSize];
  };
  std::list<Entry> order;
  using Key = std::tuple<CodeWord, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Key, std::list<Entry>::iterator> known;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((active_ >> lane & 1u) == 0) continue;
    const CodeWord* codes = codes_.get() + std::size_t{lane} * codeCapacity_;
    const std::uint32_t* words = words_.get() + std::size_t{lane} * wordCapacity_;
    std::uint32_t kTile = kNoTile, region = 0, offset = 0;
    std::uint16_t dot = kNoDot;
    std::map<std::tuple<CodeWord, std::uint32_t, std::uint32_t>, std::uint32_t> met;
    auto after = order.begin();
    for (std::uint32_t i = 0; i < codeCount_[lane]; ++i) {
      const CodeWord code = codes[i];
      if (code.kind() == Kind::Position) {
        kTile = words[offset];
        dot = static_cast<std::uint16_t>(words[offset + 1]);
        region += code.array();
      } else {
        const std::uint32_t occurrence = met[{code, kTile, dot}]++;
        const Key key{code, kTile, dot, occurrence};
        auto found = known.find(key);
        if (found == known.end()) {
          Entry entry{decode(code), {}};
          entry.instruction.kTile = kTile;
          entry.instruction.dot = dot;
          entry.instruction.region = region;
          found = known.emplace(key, order.insert(after, entry)).first;
        }
        found->second->instruction.mask |= 1u << lane;
        found->second->offsets[lane] = offset;
        after = std::next(found->second);
      }
      offset += wordsOf(code);
    }
  }
  for (const Entry& entry : order) {
    instructions_.push_back(entry.instruction);
    laneOffsets_.insert(laneOffsets_.end(), std::begin(entry.offsets), std::end(entry.offsets));
  }
}

void Recorder::endWarp(std::uint32_t interval, const IntervalSink& sink) {
  instructions_.clear();
  laneOffsets_.clear();
  if (active_ != 0) {
    if (uniform()) {
      groupUniform();
    } else {
      groupDivergent();
    }
  }
  const std::uint32_t used = *std::max_element(std::begin(wordCount_), std::end(wordCount_));
  sink({warp_, interval, wordCapacity_, used, instructions_, words_.get(),
        laneOffsets_.empty() ? nullptr : laneOffsets_.data()});
}

}  // namespace tileloom::emulator
