// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tileloom::emulator::judges {

Context::Context(const Subject& block, std::vector<ShadowWord>& words)
    : subject(block),
      cluster{this},
      shadow{words, {}, {}, std::vector<bool>(block.threads), {}, 0, 0, 0},
      happens(place, shadow, block.order == Order::Clocks ? warps() : 0),
      requests(block.order == Order::Clocks ? warps() : 0) {
  words.clear();
}

Fault Context::faultOf(FaultKind kind, const Origin& at) const {
  Fault fault;
  fault.kind = kind;
  fault.stage = subject.kernel;
  fault.block = subject.block;
  fault.thread = static_cast<int>(at.thread);
  fault.file = subject.file;
  fault.line = at.site.line;
  fault.address = at.site.address;
  return fault;
}

void Context::report(FaultKind kind, const Origin& at, std::string detail) {
  Fault fault = faultOf(kind, at);
  fault.detail = std::move(detail);
  report(std::move(fault));
}

void Context::reportElement(FaultKind kind, const Origin& at, std::uint32_t array,
                            std::int64_t index, bool store, int otherThread) {
  const Array& its = this->array(array);
  Fault fault = faultOf(kind, at);
  fault.otherThread = otherThread;
  fault.array = its.name;
  fault.index = index;
  fault.size = its.elements;
  fault.store = store;
  if (subject.wordBytes != 0) {
    fault.detail = fmt::format("{} {}", store ? "stores" : "loads", wordText(array, index));
    if (kind == FaultKind::Race)
      fault.detail += fmt::format(
          ", which {} with no barrier in between",
          otherThread < 0
              ? std::string("several warps have accessed")
              : threadText(who(static_cast<std::uint32_t>(otherThread))) + " has accessed");
  }
  report(std::move(fault));
}

std::string Context::lineText(int line, const char* word) const {
  return line == 0 && subject.wordBytes != 0 ? std::string()
                                             : fmt::format(" {} line {}", word, line);
}

std::string Context::barrierText(std::uint32_t number) const {
  if (subject.wordBytes != 0)
    return fmt::format("the mbarrier at byte {}", requests.barriers[number].index);
  return fmt::format("{}[{}]", requests.barriers[number].name, requests.barriers[number].index);
}

std::string Context::wordText(std::uint32_t array, std::int64_t index) const {
  const std::string& name = this->array(array).name;
  return subject.wordBytes == 0 ? fmt::format("{}[{}]", name, index)
                                : fmt::format("byte {} of {}", index * subject.wordBytes, name);
}

std::string Context::threadText(std::uint32_t thread) const {
  const std::uint32_t of = thread / subject.threads;
  if (subject.wordBytes != 0) return fmt::format("warp {}", thread % subject.threads / kWarpSize);
  return of == place.rank
             ? fmt::format("thread {}", thread % subject.threads)
             : fmt::format("thread {} of the block with rank {}", thread % subject.threads, of);
}

std::string Context::elementText(Provenance p) const {
  if (!p.isElement()) return "no element of a matrix";
  const Array& its = array(static_cast<std::uint32_t>(p.source()) - 1);
  return fmt::format("{}[{}][{}]", its.name, p.index() / its.columns, p.index() % its.columns);
}

std::string Context::boxText(const BoxRecord& box) const {
  if (subject.wordBytes != 0)
    return fmt::format("the TMA copy of {} bytes to byte {} of shared memory{}", box.bytes,
                       box.address, lineText(box.line));
  return fmt::format("the box of {} at row {} and column {} (line {})", array(box.matrix).name,
                     box.y, box.x, box.line);
}

std::string Context::boxText(std::uint32_t written, std::uint32_t array, std::int64_t index) const {
  const std::uint32_t number = Component::of(written) - happens.barrierComponent(0);
  const std::uint32_t phase = (written >> kThreadBits) - 1;
  const std::vector<BoxRecord>& boxes = requests.boxes;
  const auto its = std::ranges::find_if(boxes.rbegin(), boxes.rend(), [&](const BoxRecord& box) {
    return box.barrier == number && box.phase == phase && box.array == array &&
           index >= box.index &&
           index < std::int64_t{box.index} + (subject.wordBytes != 0 ? box.bytes / subject.wordBytes
                                                                     : box.columns * box.rows);
  });
  return fmt::format("{}, and has not waited for phase {} of {}",
                     its != boxes.rend() ? boxText(*its) : named("a box", "a TMA copy"), phase,
                     barrierText(number));
}

std::string Context::boxesText(std::uint32_t barrier, std::uint32_t phase) const {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (const BoxRecord& box : requests.boxes) {
    if (box.barrier != barrier || box.phase != phase) continue;
    bytes += box.bytes;
    if (++count <= kNamed) names.push_back(boxText(box));
  }
  if (count == 0) return "no TMA load brings any";
  if (count > kNamed) names.push_back(fmt::format("{} more", count - kNamed));
  return fmt::format("{} bring{} {}: {}",
                     count == 1 ? "1 TMA load" : fmt::format("{} TMA loads", count),
                     count == 1 ? "s" : "", bytes, fmt::join(names, ", "));
}

std::string Context::owing(std::uint32_t number, const event::BarrierState& state) const {
  const ShadowBarrier& barrier = shadow.barriers[number];
  std::string text;
  if (state.pending > 0) {
    text = fmt::format("it lacks {} of {} arrival{}", state.pending, state.expected,
                       state.expected == 1 ? "" : "s");
    if (barrier.arrived < 0) {
      text += ", and no thread has ever arrived at it";
    } else {
      const auto thread = static_cast<std::uint32_t>(barrier.arrived);
      const Context& its = *cluster[thread / subject.threads];
      text += fmt::format(", and {}, which arrived last (line {}), {}", threadText(thread),
                          barrier.arrivedAt.line,
                          its.shadow.ended[thread % subject.threads] ? "has ended" : "waits, too");
    }
  }
  if (state.bytes != 0) {
    text += fmt::format("{}of {} expected bytes, {}", text.empty() ? "" : "; ", state.announced,
                        boxesText(number, state.phase));
  }
  return text;
}

const char* wordFor(Kind kind, bool turned) {
  return turned && kind == Kind::MatrixLoad ? "load_matrices_turned" : kindRow(kind).function;
}

}  // namespace tileloom::emulator::judges
