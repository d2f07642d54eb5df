// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/memory_path.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;
using Station = MemoryPath::Station;

std::int64_t linear(const Recording& r, const Element& e) {
  return e.row * r.trace.arrays[static_cast<std::size_t>(e.matrix)].columns + e.column;
}

Element elementAt(const Recording& r, Matrix matrix, std::int64_t index) {
  const std::int64_t columns = r.trace.arrays[static_cast<std::size_t>(matrix)].columns;
  return {matrix, index / columns, index % columns};
}

// The places of the elements of A and B after their K tile, which need not be the present one, has
// been filled.
std::map<std::pair<Matrix, std::int64_t>, std::uint32_t> landing(const Recording& r,
                                                                 const Moment& access,
                                                                 std::string& array) {
  std::map<std::pair<Matrix, std::int64_t>, std::uint32_t> words;
  const auto matrix = static_cast<Matrix>(access.instruction.array);
  if (matrix == Matrix::C || access.touches.empty()) return words;
  const Element& first = access.touches.front().element;
  const std::int64_t k = matrix == Matrix::A ? first.column : first.row;
  // For the tile after the last traced one: what has been stored by the end.
  const std::uint32_t filled = r.find(access.warp, static_cast<std::uint32_t>(k / r.trace.stepK), 0)
                                   .value_or(r.trace.length(access.warp) - 1);
  for (std::uint32_t a = emulator::kFirstShared; a < r.trace.arrays.size(); ++a) {
    const auto contents = r.contents(a, access.warp, filled);
    for (std::uint32_t i = 0; i < contents.size(); ++i) {
      const auto element = r.elementOf(contents[i]);
      if (!element || element->matrix != matrix) continue;
      words.emplace(std::pair(matrix, linear(r, *element)), wordOfElement(r.trace.arrays[a], i));
      array = r.trace.arrays[a].name;
    }
  }
  return words;
}

// The number of multiply-adds of each lane with an element at the first k that uses it: this one,
// or the next where fragments are prefetched, which may be after a barrier.
std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> usesOf(const Recording& r,
                                                                       const Moment& access,
                                                                       const MemoryPath& path) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> uses;
  std::set<std::pair<std::uint32_t, std::int64_t>> wanted;
  const Matrix matrix = path.values.front().element.matrix;
  for (const MemoryPath::Value& v : path.values) wanted.insert({v.lane, linear(r, v.element)});
  const auto position = r.trace.position(access.warp, access.index);
  std::optional<std::pair<std::uint32_t, std::uint16_t>> place;  // at which they are used
  for (std::uint32_t interval = position.interval;
       interval < std::min(position.interval + 2, r.trace.intervals()); ++interval) {
    const auto view = r.trace.at(access.warp, interval);
    for (std::uint32_t i = interval == position.interval ? position.instruction : 0;
         i < view.instructions.size(); ++i) {
      const Instruction& fma = view.instructions[i];
      if (place && place != std::pair(fma.kTile, fma.dot)) return uses;
      if (fma.kind == Kind::Mma) {
        // An element of A is multiplied by all columns of B, one of B by all rows of A.
        const bool a = matrix == Matrix::A;
        const MmaRow& mma = fma.mma();
        const std::uint32_t first = a ? 0 : mma.laneA();
        const std::uint32_t count = a ? mma.laneA() : mma.laneB();
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          const std::uint32_t* words = view.payload(i, lane) + first;
          for (std::uint32_t w = 0; w < count; ++w) {
            const auto element = r.elementOf(Provenance(words[w]));
            if (!element || element->matrix != matrix) continue;
            const std::pair use{lane, linear(r, *element)};
            if (!wanted.contains(use)) continue;
            uses[use] += a ? mma.columns : mma.rows;
            place = {fma.kTile, fma.dot};
          }
        }
        continue;
      }
      if (fma.kind != Kind::Fma) continue;
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        if ((fma.mask >> lane & 1u) == 0) continue;
        const std::uint32_t* words = view.payload(i, lane);
        for (int w = 0; w < 2; ++w) {
          const auto element = r.elementOf(Provenance(words[w]));
          if (!element || element->matrix != matrix) continue;
          const std::pair use{lane, linear(r, *element)};
          if (!wanted.contains(use)) continue;
          ++uses[use];
          place = {fma.kTile, fma.dot};
        }
      }
    }
  }
  return uses;
}

// The values that ldmatrix gives to the lanes, which are not the lanes that name the rows.
std::vector<MemoryPath::Value> received(const Recording& r, const Moment& access) {
  const auto at = r.trace.position(access.warp, access.index);
  const auto view = r.trace.at(access.warp, at.interval);
  std::vector<MemoryPath::Value> values;
  const std::uint32_t parts = access.instruction.parts;
  for (std::uint32_t namer = 0; namer < emulator::kWarpSize; ++namer) {
    for (std::uint32_t i = 0; i < access.instruction.elements(); ++i) {
      const auto to = emulator::receivedAs(namer, i, access.instruction.turned != 0, parts);
      const auto element =
          r.elementOf(Provenance(view.payload(at.instruction, to.lane)[1 + to.value]));
      if (!element) continue;
      MemoryPath::Value v;
      v.lane = to.lane;
      v.part = to.value / parts;
      v.half = to.value % parts;
      v.element = *element;
      v.word = access.cost.addresses[namer] + i / parts;
      v.inWord = i % parts;
      v.wavefront = access.cost.shared.servedIn[namer * kMostWidth + i / parts];
      values.push_back(v);
    }
  }
  return values;
}

std::vector<Station> stationsOf(Kind kind, bool shared) {
  switch (kind) {
    case Kind::GlobalLoad:
      if (shared) return {Station::Sectors, Station::Lanes, Station::SharedWords};
      return {Station::Sectors, Station::Lanes};
    case Kind::GlobalStore:
      return {Station::Lanes, Station::Sectors};
    case Kind::AsyncCopy:
      return {Station::Sectors, Station::Wavefronts, Station::SharedWords};
    case Kind::SharedStore:
    case Kind::MatrixStore:
      return {Station::Sectors, Station::Lanes, Station::Wavefronts, Station::SharedWords};
    default:
      return {Station::Sectors, Station::SharedWords, Station::Wavefronts, Station::Lanes};
  }
}

}  // namespace

std::uint32_t MemoryPath::usedBytes() const {
  std::uint32_t elements = 0;
  for (const Sector& s : sectors) elements += static_cast<std::uint32_t>(std::popcount(s.used));
  return 4 * elements / parts;
}

std::uint32_t MemoryPath::banks() const {
  std::uint32_t mask = 0;
  for (const Value& v : values) {
    if (v.word) mask |= 1u << *v.word % kBanks;
  }
  return static_cast<std::uint32_t>(std::popcount(mask));
}

std::uint32_t MemoryPath::mostInOneBank() const {
  std::array<std::set<std::uint32_t>, kBanks> words;
  for (const Value& v : values) {
    if (v.word) words[*v.word % kBanks].insert(*v.word);
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<std::uint32_t>(most);
}

MemoryPath memoryPath(const Recording& r, const Moment& access) {
  MemoryPath path;
  const Instruction& instruction = access.instruction;
  path.touchesGlobal = emulator::isGlobal(instruction.kind) || instruction.kind == Kind::AsyncCopy;
  path.touchesShared = emulator::isShared(instruction.kind);
  if (path.touchesShared) path.sharedArray = access.array;

  std::map<std::pair<Matrix, std::int64_t>, std::uint32_t> lands;
  if (instruction.kind == Kind::GlobalLoad && r.trace.sharedBytes > 0)
    lands = landing(r, access, path.sharedArray);
  path.parts = instruction.parts;
  path.wavefronts = access.cost.shared.count;
  // Copies of 16 bytes have passes of their own (copy_cost.h).
  std::optional<std::array<std::uint8_t, 32>> passes;
  if (instruction.kind == Kind::AsyncCopy && access.width > 1) {
    passes = copyPasses(access.cost.copied, access.cost.addresses, instruction.mask, access.width);
    path.wavefronts = access.cost.copy.wavefronts;
  }
  if (instruction.kind == Kind::MatrixLoad) {
    path.values = received(r, access);
  } else {
    for (const Touch& touch : access.touches) {
      MemoryPath::Value v;
      v.lane = touch.lane;
      v.part = touch.word;
      v.element = touch.element;
      const std::int64_t at = linear(r, touch.element);
      // Neighbours in a row share a word, and accesses are aligned to their width.
      v.half = v.inWord = static_cast<std::uint32_t>(at % path.parts);
      if (path.touchesShared) {
        v.word = access.cost.addresses[touch.lane] + touch.word;
        v.wavefront = passes ? (*passes)[touch.lane]
                             : access.cost.shared.servedIn[touch.lane * kMostWidth + touch.word];
      } else if (const auto land = lands.find({touch.element.matrix, at}); land != lands.end()) {
        v.word = land->second;
      }
      path.values.push_back(v);
    }
  }
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> uses;
  const bool load = instruction.kind == Kind::SharedLoad || instruction.kind == Kind::MatrixLoad;
  if (load && !path.values.empty()) uses = usesOf(r, access, path);
  const std::int64_t inSector = path.sectorElements();
  std::map<std::pair<Matrix, std::int64_t>, std::uint64_t> used;  // by sector
  for (MemoryPath::Value& v : path.values) {
    const std::int64_t at = linear(r, v.element);
    used[{v.element.matrix, at / inSector}] |= std::uint64_t{1} << at % inSector;
    if (const auto use = uses.find({v.lane, at}); use != uses.end()) v.uses = use->second;
  }
  std::map<std::pair<Matrix, std::int64_t>, std::uint32_t> index;
  for (const auto& [sector, mask] : used) {
    index[sector] = static_cast<std::uint32_t>(path.sectors.size());
    path.sectors.push_back(
        {sector.first, elementAt(r, sector.first, sector.second * inSector), mask});
  }
  for (MemoryPath::Value& v : path.values) {
    const std::int64_t at = linear(r, v.element);
    v.sector = index[{v.element.matrix, at / inSector}];
    v.inSector = static_cast<std::uint32_t>(at % inSector);
  }
  path.stations = stationsOf(instruction.kind, !lands.empty());
  return path;
}

}  // namespace tileloom::analysis
