// SPDX-License-Identifier: GPL-3.0-or-later
// An observer (events.h): collects the instructions of the lanes of one warp between two barriers
// and groups them by warp instruction. Lanes run one after another, so recording means appending to
// the stream of the running lane, which an executor selects with beginLane() or continueLane().
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "kernels/emulator/asynchronous.h"
#include "kernels/emulator/code_word.h"
#include "kernels/emulator/events.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

class Recorder {
 public:
  // `operands`: record the factors of every multiply-add. False: only count the multiply-adds.
  void begin(bool operands);
  void beginWarp(std::uint32_t warp);
  void beginLane(std::uint32_t lane);
  void continueLane(std::uint32_t lane);  // after its records since beginLane
  void endLane();
  void endWarp(std::uint32_t interval, const IntervalSink& sink);

  // The events that a recording has.
  [[gnu::always_inline]] void see(const event::GlobalLoad& e) {
    access(Kind::GlobalLoad, e.words, e.parts, e.array, e.at.site.line, e.index, e.values);
  }
  [[gnu::always_inline]] void see(const event::GlobalStore& e) {
    access(Kind::GlobalStore, e.words, e.parts, e.array, e.at.site.line, e.index, e.values);
  }
  [[gnu::always_inline]] void see(const event::SharedLoad& e) {
    access(Kind::SharedLoad, e.words, e.parts, e.array, e.at.site.line, e.index, e.values);
  }
  [[gnu::always_inline]] void see(const event::SharedStore& e) {
    access(Kind::SharedStore, e.words, e.parts, e.array, e.at.site.line, e.index, e.values);
  }
  [[gnu::always_inline]] void see(const event::AsyncCopy& e) {
    access(Kind::AsyncCopy, e.words, e.parts, e.array, e.at.site.line, e.index, e.values);
  }
  void see(const event::MatrixRow& e);
  void see(const event::LaneMma& e);
  // The same with plain values, for the hottest loop.
  void fma(int line, Provenance a, Provenance b, Provenance sum) {
    reserve(kFmaOperands);
    code({Kind::Fma, 0, 0, static_cast<std::uint32_t>(line)});
    if (operands_) {
      word_[0] = a.bits();
      word_[1] = b.bits();
      word_[2] = sum.bits();
      word_ += kFmaOperands;
    }
  }
  [[gnu::always_inline]] void see(const event::Fma& e) { fma(e.at.site.line, e.a, e.b, e.sum); }
  void see(const event::Product& e) {
    add(Kind::Product, e.at, {e.which}, static_cast<std::uint32_t>(kUsualGroupMma),
        e.columns / rowOf(kUsualGroupMma).columns);
  }
  void see(const event::BlockBarrier& e) { add(Kind::Barrier, e.at); }
  void see(const event::CopyCommit& e) { add(Kind::CopyCommit, e.at); }
  void see(const event::CopyWait& e) { wait(Kind::CopyWait, e.at, e.newest); }
  void see(const event::FenceProducts& e) { add(Kind::FenceProducts, e.at); }
  void see(const event::CommitProducts& e) { add(Kind::CommitProducts, e.at); }
  void see(const event::WaitProducts& e) { wait(Kind::WaitProducts, e.at, e.newest); }
  void see(const event::FenceAsync& e) { add(Kind::FenceAsync, e.at); }
  void see(const event::BoxLoad& e) { add(Kind::BoxLoad, e.at, {e.index, e.number}, e.array); }
  void see(const event::BoxStore& e) { add(Kind::BoxStore, e.at, {e.index, e.number}, e.array); }
  void see(const event::CommitBoxes& e) { add(Kind::CommitBoxes, e.at); }
  void see(const event::WaitBoxes& e) { wait(Kind::WaitBoxes, e.at, e.newest); }
  void see(const event::BarrierStart& e) { add(Kind::BarrierStart, e.at, {e.barrier, e.count}); }
  void see(const event::BarrierExpect& e) { add(Kind::BarrierExpect, e.at, {e.barrier, e.bytes}); }
  void see(const event::BarrierWait& e) { add(Kind::BarrierWait, e.at, {e.barrier, e.phase}); }
  void see(const event::BarrierArrive& e) { add(Kind::BarrierArrive, e.at, {e.barrier, e.rank}); }
  void see(const event::PublishBarriers& e) { add(Kind::PublishBarriers, e.at); }
  void see(const event::Meet& e) { add(Kind::Meet, e.at, {e.number, e.threads}); }
  void see(const event::ClusterMeet& e) { add(Kind::ClusterMeet, e.at); }
  void see(const event::KeepRegisters& e) { add(Kind::KeepRegisters, e.at, {e.perThread}); }
  void see(const event::TakeRegisters& e) { add(Kind::TakeRegisters, e.at, {e.perThread}); }

  // `fence`: the assembler cannot merge accesses on different sides of this point.
  void position(std::uint32_t kTile, std::uint16_t dot, bool fence) {
    reserve(2);
    code({Kind::Position, 0, fence ? 1u : 0u, 0});
    words({kTile, dot});
  }

 private:
  static constexpr std::uint32_t kFmaOperands = 3;

  static std::uint32_t lineOf(const Origin& at) { return static_cast<std::uint32_t>(at.site.line); }
  // Both need room: reserve().
  void code(CodeWord word) { *code_++ = word; }
  void words(std::initializer_list<std::uint32_t> payload) {
    for (const std::uint32_t word : payload) *word_++ = word;
  }
  // The events of the hot loops come as plain values, so that they are never in memory.
  // The index, then the provenance of each element.
  void access(Kind kind, std::uint32_t words, std::uint32_t parts, std::uint32_t array, int line,
              std::int64_t index, const RegisterSlot* values) {
    const std::uint32_t elements = words * parts;
    reserve(1 + elements);
    code({kind, words, array, static_cast<std::uint32_t>(line), parts});
    std::uint32_t* const payload = word_;
    word_ = payload + 1 + elements;  // stored only once, because the next access reads it
    payload[0] = static_cast<std::uint32_t>(index);
    for (std::uint32_t i = 0; i < elements; ++i) payload[1 + i] = values[i].provenance.bits();
  }
  // `count` as in Instruction::width.
  void add(Kind kind, const Origin& at, std::initializer_list<std::uint32_t> payload = {},
           std::uint32_t array = 0, std::uint32_t count = 0) {
    reserve(2);
    code({kind, count, array, lineOf(at)});
    words(payload);
  }
  void wait(Kind kind, const Origin& at, std::uint32_t newest) {
    add(kind, at, {}, 0, std::min(newest, kMostGroupsLeft));
  }

  std::uint32_t wordsOf(CodeWord code) const;
  Instruction decode(CodeWord code) const;

  void reserve(std::uint32_t words) {
    if (word_ + words > wordEnd_ || code_ == codeEnd_) grow(words);
  }
  void grow(std::uint32_t words);
  bool uniform() const;
  void groupUniform();
  void groupDivergent();

  bool operands_ = true;
  std::uint32_t warp_ = 0;
  std::uint32_t lane_ = 0;
  std::uint32_t active_ = 0;

  std::uint32_t wordCapacity_ = 0;  // per lane
  std::uint32_t codeCapacity_ = 0;
  std::unique_ptr<std::uint32_t[]> words_;  // 32 lanes side by side
  std::unique_ptr<CodeWord[]> codes_;
  std::uint32_t wordCount_[kWarpSize] = {};
  std::uint32_t codeCount_[kWarpSize] = {};
  std::uint32_t* word_ = nullptr;
  std::uint32_t* wordEnd_ = nullptr;
  CodeWord* code_ = nullptr;
  CodeWord* codeEnd_ = nullptr;

  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> laneOffsets_;
};

}  // namespace tileloom::emulator
