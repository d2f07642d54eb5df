// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/merging.h"

#include <algorithm>
#include <map>

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Trace;
using emulator::WarpInterval;

bool sameProgram(const WarpInterval& a, const WarpInterval& b) {
  if (a.instructions.data() == b.instructions.data()) return true;  // one list serves both
  return std::ranges::equal(a.instructions, b.instructions,
                            [](const Instruction& x, const Instruction& y) {
                              return x.kind == y.kind && x.line == y.line && x.array == y.array &&
                                     x.width == y.width && x.region == y.region;
                            });
}

// All warps with the same instructions as `warp`, including it.
std::vector<WarpInterval> sharingWarps(const Trace& trace, std::uint32_t warp,
                                       std::uint32_t interval) {
  const WarpInterval own = trace.at(warp, interval);
  std::vector<WarpInterval> views;
  for (std::uint32_t w = 0; w < trace.warps; ++w) {
    const WarpInterval other = trace.at(w, interval);
    if (w == warp || sameProgram(own, other)) views.push_back(other);
  }
  return views;
}

// A scalar shared load that may be merged with others.
struct Candidate {
  std::uint32_t instruction = 0;
  std::uint32_t address = 0;    // of the first active lane of the first warp
  std::uint32_t alignment = 0;  // OR of all lanes' addresses: low bits 0 mean aligned everywhere
  std::uint64_t signature = 0;  // of the other lanes' distances from that address
};

Candidate candidateOf(std::span<const WarpInterval> warps, std::uint32_t instruction,
                      std::uint32_t base) {
  Candidate c;
  c.instruction = instruction;
  bool first = true;
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const WarpInterval& view : warps) {
    const std::uint32_t mask = view.instructions[instruction].mask;
    hash = (hash ^ mask) * 0x100000001B3u;
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint32_t address = base + view.payload(instruction, lane)[0];
      if (first) c.address = address;
      first = false;
      c.alignment |= address;
      hash = (hash ^ (address - c.address)) * 0x100000001B3u;
    }
  }
  c.signature = hash;
  return c;
}

struct Group {
  std::uint32_t lowest = 0;
  std::uint32_t width = 1;
};

// Merges `candidates` (one array, no fence between them) where possible and notes the group of each
// instruction.
void mergeRun(std::vector<Candidate>& candidates, std::map<std::uint32_t, Group>& groupOf) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tie(a.signature, a.address) < std::tie(b.signature, b.address);
  });
  for (std::size_t i = 0; i < candidates.size();) {
    const auto chain = [&](std::size_t width) {
      if ((candidates[i].alignment & (width - 1)) != 0 || i + width > candidates.size())
        return false;
      for (std::size_t j = 1; j < width; ++j) {
        if (candidates[i + j].signature != candidates[i].signature ||
            candidates[i + j].address != candidates[i].address + j) {
          return false;
        }
      }
      return true;
    };
    const std::size_t width = chain(4) ? 4 : chain(2) ? 2 : 1;
    for (std::size_t j = 0; j < width; ++j) {
      groupOf[candidates[i + j].instruction] = {candidates[i].instruction,
                                                static_cast<std::uint32_t>(width)};
    }
    i += width;
  }
  candidates.clear();
}

}  // namespace

IntervalAccesses accessesOf(const Trace& trace, std::uint32_t warp, std::uint32_t interval) {
  const WarpInterval own = trace.at(warp, interval);
  std::map<std::uint32_t, Group> groupOf;
  std::map<std::uint8_t, std::vector<Candidate>> runs;  // by array
  std::vector<WarpInterval> sharing;
  const auto flush = [&] {
    for (auto& [array, run] : runs) mergeRun(run, groupOf);
  };
  std::uint32_t region = 0;
  for (std::uint32_t i = 0; i < own.instructions.size(); ++i) {
    const Instruction& instruction = own.instructions[i];
    if (instruction.region != region || emulator::isStore(instruction.kind)) flush();
    region = instruction.region;
    if (trace.machineCode || instruction.kind != Kind::SharedLoad || instruction.width != 1)
      continue;
    if (sharing.empty()) sharing = sharingWarps(trace, warp, interval);
    runs[instruction.array].push_back(
        candidateOf(sharing, i, trace.arrays[instruction.array].base));
  }
  flush();

  IntervalAccesses result;
  result.accessOf.assign(own.instructions.size(), IntervalAccesses::kNone);
  std::map<std::uint32_t, std::uint32_t> accessOfGroup;  // by its lowest instruction
  for (std::uint32_t i = 0; i < own.instructions.size(); ++i) {
    const Instruction& instruction = own.instructions[i];
    if (!emulator::isMemory(instruction.kind)) continue;
    const auto group = groupOf.find(i);
    if (group == groupOf.end() || group->second.width == 1) {
      result.accessOf[i] = static_cast<std::uint32_t>(result.accesses.size());
      result.accesses.push_back({i, i, instruction.width, 1});
      continue;
    }
    const auto [entry, isNew] = accessOfGroup.try_emplace(
        group->second.lowest, static_cast<std::uint32_t>(result.accesses.size()));
    result.accessOf[i] = entry->second;
    if (isNew) {
      result.accesses.push_back(
          {i, group->second.lowest, group->second.width, group->second.width});
    }
  }
  return result;
}

BlockAccesses accessesOf(const Trace& trace) {
  BlockAccesses all(trace.intervals());
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    auto& plans = all[interval];
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const WarpInterval view = trace.at(warp, interval);
      std::shared_ptr<const IntervalAccesses> plan;
      for (std::uint32_t earlier = 0; earlier < warp && plan == nullptr; ++earlier) {
        if (sameProgram(trace.at(earlier, interval), view)) plan = plans[earlier];
      }
      if (plan == nullptr) {
        plan = std::make_shared<const IntervalAccesses>(accessesOf(trace, warp, interval));
      }
      plans.push_back(std::move(plan));
    }
  }
  return all;
}

std::array<std::uint32_t, 32> laneAddresses(const Trace& trace, const WarpInterval& view,
                                            std::uint32_t instruction) {
  std::array<std::uint32_t, 32> addresses{};
  const Instruction& i = view.instructions[instruction];
  const std::uint32_t base = trace.arrays[i.array].base;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((i.mask >> lane & 1u) != 0)
      addresses[lane] = base + view.payload(instruction, lane)[0] / i.parts;
  }
  return addresses;
}

std::array<std::uint32_t, 32> copiedElements(const WarpInterval& view, std::uint32_t instruction) {
  std::array<std::uint32_t, 32> elements{};
  const std::uint32_t mask = view.instructions[instruction].mask;
  const std::uint32_t parts = view.instructions[instruction].parts;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((mask >> lane & 1u) != 0)
      elements[lane] = emulator::Provenance(view.payload(instruction, lane)[1]).index() / parts;
  }
  return elements;
}

}  // namespace tileloom::analysis
