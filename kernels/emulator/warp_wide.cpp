// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that the 32 lanes of a warp execute as one: each lane's fiber records its operands
// and pauses; when no lane of the warp can run alone, the operands are exchanged, and all lanes
// continue.
#include <algorithm>
#include <utility>

#include "kernels/emulator/block.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/mma_table.h"

namespace tileloom::emulator {
void Block::executeTogether(const WarpRequest& request) {
  const std::uint32_t lane = state_.thread % kWarpSize;
  meeting_.asked[lane] = request;
  meeting_.lanes |= 1u << lane;
  state_.fibers.pause();
  if (request.kind == Kind::Mma)
    return report(
        event::LaneMma{here(request.line), request.mma, request.a, request.b, request.result});
  // A row outside the array is not part of the recording.
  const bool inside = request.index >= 0 && request.index < state_.arrays[request.array].elements;
  event::MatrixRow row{here(request.line),
                       request.kind,
                       request.turned,
                       request.array,
                       inside ? static_cast<std::uint32_t>(request.index) : 0,
                       state_.parts,
                       {}};
  for (std::uint32_t i = 0; i < kRowWords * state_.parts; ++i) {
    row.elements[i] =
        request.kind == Kind::MatrixLoad ? request.result[i].provenance : meeting_.stored[lane][i];
  }
  report(row);
}

bool Block::agree(const Meeting& meeting, std::uint32_t warp) {
  event::Together together{warp, meeting.lanes, {}};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    together.asked[lane] = {asked.kind, asked.turned, {asked.line}};
  }
  return state_.judges.allows(together);
}

// Whether the running thread may access the row that it names.
bool Block::allowsRow(const WarpRequest& asked) {
  const event::Attempt row =
      attempt(asked.array, asked.index, kRowWords * state_.parts,
              state_.arrays[asked.array].elements, asked.line, asked.kind == Kind::MatrixStore);
  return state_.judges.allows(event::RowAttempt{row, asked.kind, asked.turned});
}

void Block::loadMatrices(const Meeting& meeting, std::uint32_t warp) {
  Room<RegisterSlot, kMostRowElements> rows[kWarpSize];
  const std::uint32_t elements = kRowWords * state_.parts;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    state_.thread = warp * kWarpSize + lane;
    if (!allowsRow(asked)) {
      std::fill_n(rows[lane].data(), elements, kNothing);
      continue;
    }
    const event::RowLoad load{sharedAccess(asked.array, asked.index, kRowWords, asked.line)};
    for (std::uint32_t w = 0; w < load.words; ++w)
      readWord(load.word + w, rows[lane].data() + std::size_t{w} * state_.parts);
    report(load);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t element = 0; element < elements; ++element) {
      const Received to = receivedAs(lane, element, asked.turned, state_.parts);
      meeting.asked[to.lane].result[to.value] = rows[lane][element];
    }
  }
}

// Element e of the row that a lane names is the element that another lane holds, as in a
// MatrixLoad: see fragment_layout.h.
void Block::storeMatrices(const Meeting& meeting, std::uint32_t warp) {
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    Room<RegisterSlot, kMostRowElements> row;
    for (std::uint32_t element = 0; element < kRowWords * state_.parts; ++element) {
      const Received from = receivedAs(lane, element, false, state_.parts);
      state_.thread = warp * kWarpSize + from.lane;
      const RegisterSlot& given = meeting.asked[from.lane].a[from.value];
      row[element] = {given.value, named(given.provenance)};
      meeting_.stored[lane][element] = row[element].provenance;
    }
    state_.thread = warp * kWarpSize + lane;
    if (!allowsRow(asked)) continue;
    const event::RowStore store{sharedAccess(asked.array, asked.index, kRowWords, asked.line)};
    for (std::uint32_t w = 0; w < store.words; ++w)
      writeWord(store.word + w, row.data() + std::size_t{w} * state_.parts);
    report(store);
  }
}

// Each product is exact in fp32 and the sums are rounded in the order of k. The hardware aligns and
// truncates addends in an undocumented order, so its sums are equal to these only where all of them
// are exact.
template <Mma Which>
void Block::multiplyAdd(const Meeting& meeting, std::uint32_t warp) {
  constexpr const MmaRow& kMma = kMmaTable[static_cast<std::size_t>(Which)];
  static_assert(kMma.rows <= Factors::kMostRows && kMma.columns <= Factors::kMostColumns &&
                kMma.depth <= Factors::kMostDepth);
  Factors& held = factors_;
  held.mma = &kMma;
  float a[kMma.depth][kMma.rows], b[kMma.depth][kMma.columns], c[kMma.rows][kMma.columns];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t i = 0; i < kMma.laneA(); ++i) {
      const auto [row, k] = kMma.placeInA(lane, i);
      a[k][row] = asked.a[i].value;
      held.a[row][k] = asked.a[i].provenance;
    }
    for (std::uint32_t i = 0; i < kMma.laneB(); ++i) {
      const auto [k, column] = kMma.placeInB(lane, i);
      b[k][column] = asked.b[i].value;
      held.b[k][column] = asked.b[i].provenance;
    }
    for (std::uint32_t i = 0; i < kMma.laneC(); ++i) {
      const auto [row, column] = kMma.placeInC(lane, i);
      c[row][column] = asked.result[i].value;
    }
  }
  event::Mma mma{warp, &held, {}};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    mma.sites[lane] = {meeting.asked[lane].line};
  report(mma);
  for (std::uint32_t k = 0; k < kMma.depth; ++k) {
    for (std::uint32_t row = 0; row < kMma.rows; ++row) {
      for (std::uint32_t column = 0; column < kMma.columns; ++column)
        c[row][column] += a[k][row] * b[k][column];
    }
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t i = 0; i < kMma.laneC(); ++i) {
      const auto [row, column] = kMma.placeInC(lane, i);
      asked.result[i] = {c[row][column], Provenance::accumulator(asked.number + i)};
    }
  }
}

void Block::hold(const Meeting& meeting, std::uint32_t warp) {
  state_.thread = warp * kWarpSize;
  if (!agree(meeting, warp)) {
    // The result of each lane is undefined; the warp continues, to find more faults.
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((meeting.lanes >> lane & 1u) == 0) continue;
      const WarpRequest& asked = meeting.asked[lane];
      if (asked.result == nullptr) continue;
      const std::uint32_t count =
          asked.kind == Kind::Mma ? asked.mma->laneC() : kMatrices * state_.parts;
      std::fill(asked.result, asked.result + count, kNothing);
    }
  } else if (meeting.asked[0].kind == Kind::MatrixLoad) {
    loadMatrices(meeting, warp);
  } else if (meeting.asked[0].kind == Kind::MatrixStore) {
    storeMatrices(meeting, warp);
  } else {
    // The shape of each instruction is known when this is compiled.
    const Mma asked = meeting.asked[0].mma->mma;
    const auto multiplies = [&]<std::size_t Row>() {
      constexpr MmaRow kRow = kMmaTable[Row];
      // Those of a warpgroup, with operands in shared memory: products.cpp.
      if constexpr (!kRow.inShared) {
        if (asked != kRow.mma) return false;
        multiplyAdd<kRow.mma>(meeting, warp);
        return true;
      } else {
        return false;
      }
    };
    const auto dispatch = [&]<std::size_t... Rows>(std::index_sequence<Rows...>) {
      static_cast<void>((multiplies.template operator()<Rows>() || ...));
    };
    dispatch(std::make_index_sequence<kMmaTable.size()>());
  }
}

}  // namespace tileloom::emulator
