// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/recording.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Position;
using emulator::Provenance;
using emulator::WarpInterval;

}  // namespace

Recording::Recording(emulator::Trace recorded)
    : trace(std::move(recorded)), map(blockMap(trace)), accesses_(accessesOf(trace)) {
  const SplitTotals split = splitTotals(trace, accesses_);
  loop = split.loop;
  totals = split.loop;
  totals += split.outside;
}

std::optional<Element> Recording::elementOf(Provenance provenance) const {
  if (!provenance.isElement()) return std::nullopt;
  const auto array = static_cast<std::uint32_t>(provenance.source()) - 1;
  const std::int64_t columns = trace.arrays[array].columns;
  return Element{static_cast<Matrix>(array), provenance.index() / columns,
                 provenance.index() % columns};
}

Moment Recording::moment(std::uint32_t warp, std::uint32_t index) const {
  const Position position = trace.position(warp, index);
  const WarpInterval view = trace.at(warp, position.interval);
  Moment m;
  m.warp = warp;
  m.index = index;
  m.instruction = view.instructions[position.instruction];
  const std::uint32_t mask = m.instruction.mask;

  if (m.instruction.kind == Kind::Fma) {
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(position.instruction, lane);
      for (std::uint32_t w = 0; w < 2; ++w) {
        if (const auto element = elementOf(Provenance(words[w])))
          m.touches.push_back({lane, w, *element});
      }
      const std::uint32_t c =
          trace.accumulatorElement(warp * emulator::kWarpSize + lane, Provenance(words[2]).slot());
      if (c == emulator::Trace::kNoElement) continue;
      const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
      m.touches.push_back({lane, 2, {Matrix::C, c / columns, c % columns}});
    }
    return m;
  }
  if (!emulator::isMemory(m.instruction.kind)) return m;

  const IntervalAccesses& plan = *accesses_[position.interval][warp];
  const Access& access = plan.accesses[plan.accessOf[position.instruction]];
  m.array = trace.arrays[m.instruction.array].name;
  m.width = access.width;
  m.merged = access.merged;
  m.follower = access.first != position.instruction;
  m.addresses = laneAddresses(trace, view, access.lowest);
  if (emulator::isShared(m.instruction.kind)) {
    m.served = wavefronts(m.addresses, mask, m.width, emulator::isStore(m.instruction.kind));
  } else {
    m.moved = coalescing(m.addresses, mask, m.width);
  }
  if (m.instruction.kind == Kind::AsyncCopy) {
    const auto elements = copiedElements(view, access.lowest);
    m.moved = coalescing(elements, mask, m.width);
    m.copied = copyCost(elements, m.addresses, mask, m.width);
  }
  // A merged access touches what all its parts touch; the parts stand at rising addresses.
  for (std::uint32_t part = 0; part < view.instructions.size(); ++part) {
    if (plan.accessOf[part] != plan.accessOf[position.instruction]) continue;
    const Instruction& piece = view.instructions[part];
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(part, lane);
      const std::uint32_t shift = words[0] + trace.arrays[piece.array].base - m.addresses[lane];
      for (std::uint32_t w = 0; w < piece.width; ++w) {
        if (emulator::isGlobal(piece.kind)) {
          const std::int64_t columns = trace.arrays[piece.array].columns;
          const std::int64_t at = words[0] + w;
          m.touches.push_back(
              {lane, shift + w, {static_cast<Matrix>(piece.array), at / columns, at % columns}});
        } else if (const auto element = elementOf(Provenance(words[1 + w]))) {
          m.touches.push_back({lane, shift + w, *element});
        }
      }
    }
  }
  return m;
}

std::optional<std::uint32_t> Recording::lastAccess(std::uint32_t warp, std::uint32_t index) const {
  Position position = trace.position(warp, index);
  std::uint32_t end = position.instruction + 1;
  for (std::uint32_t interval = position.interval + 1; interval-- > 0;) {
    const auto instructions = trace.at(warp, interval).instructions;
    if (interval != position.interval) end = static_cast<std::uint32_t>(instructions.size());
    for (std::uint32_t i = end; i-- > 0;) {
      const Kind kind = instructions[i].kind;
      if (trace.sharedBytes > 0 ? emulator::isShared(kind) : emulator::isMemory(kind)) {
        return trace.indexOf(warp, {interval, i});
      }
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Recording::find(std::uint32_t warp, std::uint32_t kTile,
                                             std::uint16_t dot) const {
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const auto instructions = trace.at(warp, interval).instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].kTile != kTile) continue;
      if (dot == emulator::kNoDot || instructions[i].dot == dot) {
        return trace.indexOf(warp, {interval, i});
      }
    }
  }
  return std::nullopt;
}

std::vector<Provenance> Recording::contents(std::uint32_t array, std::uint32_t warp,
                                            std::uint32_t index) const {
  std::vector<Provenance> words(trace.arrays[array].elements);
  const Position now = trace.position(warp, index);
  // Asynchronous copies of each warp that are under way: the data are there when they are waited
  // for.
  struct Copies {
    std::vector<std::pair<std::uint32_t, Provenance>> words;
    std::vector<std::size_t> groups;  // ends, counted in words
  };
  std::vector<Copies> copies(trace.warps);
  for (std::uint32_t interval = 0; interval <= now.interval; ++interval) {
    for (std::uint32_t w = 0; w < trace.warps; ++w) {
      const WarpInterval view = trace.at(w, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        if (interval == now.interval && i > now.instruction) break;
        const Instruction& instruction = view.instructions[i];
        if (instruction.kind == Kind::CopyCommit) {
          copies[w].groups.push_back(copies[w].words.size());
        } else if (instruction.kind == Kind::CopyWait) {
          auto& [waiting, groups] = copies[w];
          if (groups.size() <= instruction.width) continue;
          const auto arrived = groups.end() - instruction.width;
          const std::size_t count = *(arrived - 1);
          for (std::size_t c = 0; c < count; ++c) words[waiting[c].first] = waiting[c].second;
          waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
          groups.erase(groups.begin(), arrived);
          for (std::size_t& end : groups) end -= count;
        }
        const bool copy = instruction.kind == Kind::AsyncCopy;
        if ((instruction.kind != Kind::SharedStore && !copy) || instruction.array != array)
          continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1u) == 0) continue;
          const std::uint32_t* payload = view.payload(i, lane);
          for (std::uint32_t k = 0; k < instruction.width; ++k) {
            if (copy) {
              copies[w].words.emplace_back(payload[0] + k, Provenance(payload[1 + k]));
            } else {
              words[payload[0] + k] = Provenance(payload[1 + k]);
            }
          }
        }
      }
    }
  }
  return words;
}

std::optional<SharedWord> Recording::wordOf(const Element& element, std::uint32_t warp,
                                            std::uint32_t index) const {
  for (std::uint32_t array = emulator::kFirstShared; array < trace.arrays.size(); ++array) {
    const auto words = contents(array, warp, index);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if (words[i].known() && elementOf(words[i]) == element) return SharedWord{array, i};
    }
  }
  return std::nullopt;
}

std::shared_ptr<const Recording> record(emulator::Workspace& workspace,
                                        const emulator::TraceRequest& request) {
  return std::make_shared<const Recording>(emulator::traceBlock(workspace, request));
}

}  // namespace tileloom::analysis
