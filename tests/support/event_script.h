// SPDX-License-Identifier: GPL-3.0-or-later
// Events for judges, without a kernel: a block of 128 threads with the array As in shared memory
// and two mbarriers.
//
//   EventScript script(Order::Intervals);
//   script.store(3, 7, 4);  // thread 3 stores word 7 in line 4
//   script.judges().get<Reuse>();
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

#include "kernels/emulator/judges/judges.h"
#include "kernels/emulator/product_shape.h"

namespace tileloom::emulator::judges {

inline constexpr std::uint32_t kAs = kFirstShared;
inline constexpr std::uint32_t kEdge = 64;          // of the matrices
inline constexpr std::uint32_t kBoxWords = 8 * 16;  // of a box: 8 rows of 32 elements

// Reports events as an executor does, with the little that it must know itself: what mbarriers
// lack.
class EventScript {
 public:
  explicit EventScript(Order order, std::map<std::int64_t, Fault>* flags = nullptr)
      : arrays_(arrays()), judges_(subjectOf(order, arrays_, flags), words_), barriers_(2) {
    judges_.see(event::SharedMemory{2048});
    judges_.see(event::BarriersDeclared{"full", 2});
  }

  Judges& judges() { return judges_; }
  const FaultLog& faults() const { return judges_.faults(); }

  static Origin at(std::uint32_t thread, int line) { return {thread, {line}}; }
  template <class Event>
  void see(const Event& e) {
    judges_.see(e);
  }
  template <class Event>
  bool allows(const Event& e) {
    return judges_.allows(e);
  }

  // ---- shared memory, by word
  static event::Access word(std::uint32_t thread, std::uint32_t at, int line,
                            std::uint32_t words = 1) {
    return {EventScript::at(thread, line), kAs, std::int64_t{at} * 2, words, 2, at};
  }
  void store(std::uint32_t thread, std::uint32_t at, int line) {
    see(event::SharedStore{word(thread, at, line), nullptr});
  }
  void load(std::uint32_t thread, std::uint32_t at, int line) {
    see(event::SharedLoad{word(thread, at, line), nullptr});
  }
  void copy(std::uint32_t thread, std::uint32_t at, int line) {
    see(event::AsyncCopy{word(thread, at, line), nullptr});
  }
  void commit(std::uint32_t thread, int line) { see(event::CopyCommit{at(thread, line)}); }
  void awaitCopies(std::uint32_t thread, std::uint32_t newest, int line) {
    see(event::CopyWait{at(thread, line), newest});
  }
  void pass() { see(event::BlockBarrierPassed{}); }
  void fence(std::uint32_t thread, int line) { see(event::FenceAsync{at(thread, line)}); }

  // ---- mbarriers
  void start(std::uint32_t thread, std::uint32_t barrier, int line, std::uint32_t count = 1) {
    const event::BarrierStart start{at(thread, line), barrier, count};
    if (!allows(start)) return;
    see(start);
    barriers_[barrier].expected = barriers_[barrier].pending = count;
  }
  void publish(std::uint32_t thread, int line) { see(event::PublishBarriers{at(thread, line)}); }
  // Both, by thread 0, known to all.
  void startAll() {
    start(0, 0, 1), start(0, 1, 1), publish(0, 1);
    pass();
  }
  bool use(std::uint32_t thread, std::uint32_t barrier, int line, const char* word) {
    return allows(event::BarrierUse{at(thread, line), barrier, 0, word});
  }
  void expect(std::uint32_t thread, std::uint32_t barrier, std::uint32_t bytes, int line) {
    if (!use(thread, barrier, line, "expect")) return;
    barriers_[barrier].bytes += bytes;
    barriers_[barrier].announced += bytes;
    see(event::Arrived{at(thread, line), barrier, 0});
    --barriers_[barrier].pending;
    endPhase(barrier);
  }
  // The box comes to the words from `to` on.
  void box(std::uint32_t thread, std::uint32_t barrier, std::uint32_t to, int line) {
    if (!use(thread, barrier, line, "load_box")) return;
    BoxRecord box;
    box.columns = 32;
    box.rows = 8;
    box.swizzle = 64;
    box.array = kAs;
    box.index = to * 2;
    box.address = to * 4;
    box.bytes = kBoxWords * 4;
    box.barrier = barrier;
    box.warp = thread / kWarpSize;
    box.line = static_cast<std::uint16_t>(line);
    if (!allows(event::BoxPlace{at(thread, line), box.index, &box})) return;
    box.phase = barriers_[barrier].phase;
    see(event::BoxRequested{at(thread, line), &box, 0});
    see(event::BoxArrived{at(thread, line), &box});
    barriers_[barrier].bytes -= box.bytes;
    endPhase(barrier);
  }
  void fetch(std::uint32_t barrier, std::uint32_t to, int line) {
    expect(0, barrier, kBoxWords * 4, line);
    box(0, barrier, to, line);
  }
  void await(std::uint32_t thread, std::uint32_t barrier, std::uint32_t phase) {
    see(event::WaitEnded{thread, barrier, phase});
  }
  void awaitByAll(std::uint32_t barrier, std::uint32_t phase) {
    for (std::uint32_t warp = 0; warp < 4; ++warp) await(warp * kWarpSize, barrier, phase);
  }

  // ---- products: the warp multiplies the words from `from` on
  void product(std::uint32_t warp, std::uint32_t from, int line, std::uint32_t group = 0,
               const std::function<void(event::Product&)>& change = {}) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      event::Product product{at(warp * kWarpSize + lane, line), group, group, 0, 8, 0, 0};
      if (change) change(product);
      see(product);
    }
    agentLoad(warp, event::Agent::Products, from, group, line);
    ProductRecord record;
    record.columns = 8;
    record.group = group;
    record.line = static_cast<std::uint16_t>(line);
    record.a.swizzle = record.b.swizzle = 64;
    record.factorsA = factors(Provenance::Source::A, 16, kProductDepth);
    record.factorsB = factors(Provenance::Source::B, kProductDepth, 8);
    executed(warp, record, line);
  }
  void executed(std::uint32_t warp, const ProductRecord& record, int line) {
    see(event::ProductExecuted{at(warp * kWarpSize + kWarpSize - 1, line), record});
  }
  void agentLoad(std::uint32_t warp, event::Agent agent, std::uint32_t word, std::uint32_t group,
                 int line) {
    see(event::AgentLoad{at(warp * kWarpSize, line), agent, group, kAs, std::int64_t{word} * 2,
                         word});
  }
  void fenceProducts(std::uint32_t warp, int line) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      see(event::FenceProducts{at(warp * kWarpSize + lane, line)});
  }
  void multiply(int line) {
    for (std::uint32_t warp = 0; warp < 4; ++warp) {
      fenceProducts(warp, line);
      product(warp, 0, line);
    }
  }
  static OperandList factors(Provenance::Source source, std::uint32_t rows, std::uint32_t columns) {
    std::vector<Provenance> list;
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column)
        list.push_back(Provenance::element(source, row * kEdge + column));
    }
    return std::make_shared<const std::vector<Provenance>>(std::move(list));
  }

  // ---- the end
  void end() {
    for (std::uint32_t thread = 0; thread < 128; ++thread) see(event::ThreadEnded{thread});
    see(event::BlockEnded{barriers_});
  }
  void deadlock(std::initializer_list<event::Waiting> waiting) {
    const std::vector<event::Waiting> all(waiting);
    see(event::Deadlocked{all, barriers_});
  }

  static std::vector<Array> arrays() {
    const auto matrix = [](const char* name) {
      return Array{name, Space::Global, kEdge, kEdge, kEdge * kEdge, 0, 2};
    };
    return {matrix("A"), matrix("B"), matrix("C"), {"As", Space::Shared, 0, 0, 4096, 0, 2}};
  }
  static Subject subjectOf(Order order, const std::vector<Array>& arrays,
                           std::map<std::int64_t, Fault>* flags = nullptr) {
    Subject subject;
    subject.kernel = "kernel";
    subject.file = "file";
    subject.threads = 128;
    subject.order = order;
    subject.arrays = &arrays;
    subject.flags = flags;
    return subject;
  }

 private:
  void endPhase(std::uint32_t number) {
    event::BarrierState& barrier = barriers_[number];
    if (barrier.pending != 0 || barrier.bytes != 0) return;
    ++barrier.phase;
    barrier.pending = barrier.expected;
    barrier.announced = 0;
    see(event::PhaseEnded{number});
  }

  std::vector<Array> arrays_;
  std::vector<ShadowWord> words_;
  Judges judges_;
  std::vector<event::BarrierState> barriers_;
};

}  // namespace tileloom::emulator::judges
