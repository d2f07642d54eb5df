// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that the 32 lanes of a warp execute as one: each lane's fiber records its operands
// and pauses; when no lane of the warp can run alone, the operands are exchanged, and all lanes
// continue.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "kernels/emulator/block.h"
#include "kernels/emulator/fragment_check.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::emulator {
namespace {

constexpr std::uint32_t kWholeWarp = 0xFFFF'FFFF;

const char* wordFor(const WarpRequest& request) {
  return request.kind == Kind::Mma           ? "multiply_add"
         : request.kind == Kind::MatrixStore ? "store_matrices"
         : request.turned                    ? "load_matrices_turned"
                                             : "load_matrices";
}

bool same(const WarpRequest& a, const WarpRequest& b) {
  return a.kind == b.kind && a.turned == b.turned && a.line == b.line;
}

// The value of a register that was never filled, or that had a fault.
constexpr RegisterSlot kNothing{std::numeric_limits<float>::quiet_NaN(), {}};

}  // namespace

void Block::executeTogether(const WarpRequest& request) {
  const std::uint32_t lane = thread_ % kWarpSize;
  meeting_.asked[lane] = request;
  meeting_.lanes |= 1u << lane;
  fibers_.pause();
  if (request.kind == Kind::MatrixLoad) {
    // A row outside the array is not part of the recording.
    const bool inside = request.index >= 0 && request.index < arrays_[request.array].elements;
    std::uint32_t* recorded =
        recorder_.matrices(request.kind, request.turned, request.array, request.line,
                           inside ? static_cast<std::uint32_t>(request.index) : 0);
    for (std::uint32_t i = 0; i < 2 * kMatrices; ++i)
      recorded[i] = request.result[i].provenance.bits();
  } else if (request.kind == Kind::MatrixStore) {
    const bool inside = request.index >= 0 && request.index < arrays_[request.array].elements;
    std::uint32_t* recorded =
        recorder_.matrices(request.kind, false, request.array, request.line,
                           inside ? static_cast<std::uint32_t>(request.index) : 0);
    for (std::uint32_t i = 0; i < 2 * kMatrices; ++i) recorded[i] = meeting_.stored[lane][i].bits();
  } else if (std::uint32_t* recorded = recorder_.mma(Mma::M16n8k16, request.line)) {
    for (std::uint32_t i = 0; i < kLaneA; ++i) *recorded++ = request.a[i].provenance.bits();
    for (std::uint32_t i = 0; i < kLaneB; ++i) *recorded++ = request.b[i].provenance.bits();
    for (std::uint32_t i = 0; i < kLaneC; ++i) *recorded++ = request.result[i].provenance.bits();
  }
}

void Block::hold(const Meeting& meeting, std::uint32_t warp, std::uint32_t interval) {
  become(warp, 0, interval);
  if (!agree(meeting, warp)) {
    // The result of each lane is undefined; the warp continues, to find more faults.
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((meeting.lanes >> lane & 1u) == 0) continue;
      const WarpRequest& asked = meeting.asked[lane];
      if (asked.result == nullptr) continue;
      const std::uint32_t count = asked.kind == Kind::Mma ? kLaneC : 2 * kMatrices;
      std::fill(asked.result, asked.result + count, kNothing);
    }
  } else if (meeting.asked[0].kind == Kind::MatrixLoad) {
    loadMatrices(meeting, warp);
  } else if (meeting.asked[0].kind == Kind::MatrixStore) {
    storeMatrices(meeting, warp);
  } else {
    multiplyAdd(meeting, warp);
  }
}

// Whether all lanes have arrived, at one instruction on one line; if not, reports a fault.
bool Block::agree(const Meeting& meeting, std::uint32_t warp) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(meeting.lanes));
  const WarpRequest& model = meeting.asked[first];
  const std::uint32_t missing = meeting.lanes ^ kWholeWarp;
  const auto blame = [&](std::uint32_t lane, int line, std::string detail) {
    thread_ = warp * kWarpSize + lane;
    Fault f = faultHere(FaultKind::Disagreement);
    f.line = line;
    f.otherThread = static_cast<int>(warp * kWarpSize + first);
    f.detail = std::move(detail);
    faults_.add(std::move(f));
    return false;
  };
  if (missing != 0) {
    return blame(static_cast<std::uint32_t>(std::countr_zero(missing)), model.line,
                 fmt::format("does not reach the {} of line {}, where thread {} is: all 32 lanes "
                             "must execute it together",
                             wordFor(model), model.line, warp * kWarpSize + first));
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    if (same(asked, model)) continue;
    return blame(
        lane, asked.line,
        fmt::format("is at the {} of line {}, and thread {} at the {} of line {}: all 32 lanes "
                    "must execute the same one",
                    wordFor(asked), asked.line, warp * kWarpSize, wordFor(model), model.line));
  }
  return true;
}

void Block::loadMatrices(const Meeting& meeting, std::uint32_t warp) {
  RegisterSlot matrices[kMatrices][kMatrixEdge][kMatrixEdge];
  const std::uint32_t interval = stamp_ >> kThreadBits;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    thread_ = warp * kWarpSize + lane;
    stamp_ = interval << kThreadBits | (firstThread_ + thread_);
    RegisterSlot* row = matrices[lane / kMatrixEdge][lane % kMatrixEdge];
    if (asked.array < kFirstShared) {
      Fault f = faultHere(FaultKind::OutOfBounds);
      f.line = asked.line;
      f.array = arrays_[asked.array].name;
      f.index = asked.index;
      f.size = arrays_[asked.array].elements;
      f.detail = fmt::format("names a row of {} to {}, which reads shared memory only", f.array,
                             wordFor(asked));
      faults_.add(std::move(f));
      std::fill(row, row + kMatrixEdge, kNothing);
      continue;
    }
    if (!validHalves(asked.array, asked.index, kMatrixEdge, asked.line, false)) {
      std::fill(row, row + kMatrixEdge, kNothing);
      continue;
    }
    const std::uint32_t base =
        shared_[asked.array - kFirstShared].base + static_cast<std::uint32_t>(asked.index) / 2;
    for (std::uint32_t w = 0; w < kMatrixEdge / 2; ++w) {
      Workspace::SharedWord& word = workspace_.shared_[base + w];
      readWord(word, asked.array, asked.index + 2 * w, asked.line);
      row[2 * w] = {word.value, word.provenance};
      row[2 * w + 1] = workspace_.upper_[base + w];
    }
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t element = 0; element < kMatrixEdge; ++element) {
      const Received to = receivedAs(lane, element, asked.turned);
      meeting.asked[to.lane].result[to.value] =
          matrices[lane / kMatrixEdge][lane % kMatrixEdge][element];
    }
  }
}

// Element e of the row that a lane names is the element that another lane holds, as in a
// MatrixLoad: see fragment_layout.h.
void Block::storeMatrices(const Meeting& meeting, std::uint32_t warp) {
  const std::uint32_t interval = stamp_ >> kThreadBits;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    RegisterSlot row[kMatrixEdge];
    for (std::uint32_t element = 0; element < kMatrixEdge; ++element) {
      const Received from = receivedAs(lane, element, false);
      thread_ = warp * kWarpSize + from.lane;
      const RegisterSlot& given = meeting.asked[from.lane].a[from.value];
      row[element] = {given.value, named(given.provenance)};
      meeting_.stored[lane][element] = row[element].provenance;
    }
    thread_ = warp * kWarpSize + lane;
    stamp_ = interval << kThreadBits | (firstThread_ + thread_);
    if (asked.array < kFirstShared) {
      Fault f = faultHere(FaultKind::OutOfBounds);
      f.line = asked.line;
      f.array = arrays_[asked.array].name;
      f.index = asked.index;
      f.size = arrays_[asked.array].elements;
      f.detail = fmt::format("names a row of {} to {}, which writes shared memory only", f.array,
                             wordFor(asked));
      faults_.add(std::move(f));
      continue;
    }
    if (!validHalves(asked.array, asked.index, kMatrixEdge, asked.line, true)) continue;
    const std::uint32_t base =
        shared_[asked.array - kFirstShared].base + static_cast<std::uint32_t>(asked.index) / 2;
    for (std::uint32_t w = 0; w < kMatrixEdge / 2; ++w)
      writeWord(base + w, asked.array, asked.index + 2 * w, asked.line, row + 2 * w);
  }
}

// Each product is exact in fp32 and the sums are rounded in the order of k. The hardware aligns and
// truncates addends in an undocumented order, so its sums are equal to these only where all of them
// are exact.
void Block::multiplyAdd(const Meeting& meeting, std::uint32_t warp) {
  Factors held;
  float a[kMmaDepth][kMmaRows], b[kMmaDepth][kMmaColumns], c[kMmaRows][kMmaColumns];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t i = 0; i < kLaneA; ++i) {
      const auto [row, k] = placeInA(lane, i);
      a[k][row] = asked.a[i].value;
      held.a[row][k] = asked.a[i].provenance;
    }
    for (std::uint32_t i = 0; i < kLaneB; ++i) {
      const auto [k, column] = placeInB(lane, i);
      b[k][column] = asked.b[i].value;
      held.b[k][column] = asked.b[i].provenance;
    }
    for (std::uint32_t i = 0; i < kLaneC; ++i) {
      const auto [row, column] = placeInC(lane, i);
      c[row][column] = asked.result[i].value;
    }
  }
  if (const auto misfit = misfitOf(held, arrays_)) {
    thread_ = warp * kWarpSize + misfit->lane;
    Fault fault = faultHere(FaultKind::WrongFragment);
    fault.line = meeting.asked[misfit->lane].line;
    if (misfit->element.isElement()) {
      const Array& array = arrays_[static_cast<std::uint32_t>(misfit->element.source()) - 1];
      fault.array = array.name;
      fault.index = misfit->element.index();
      fault.size = array.elements;
    }
    fault.detail = misfit->detail;
    faults_.add(std::move(fault));
  }
  for (std::uint32_t k = 0; k < kMmaDepth; ++k) {
    for (std::uint32_t row = 0; row < kMmaRows; ++row) {
      for (std::uint32_t column = 0; column < kMmaColumns; ++column)
        c[row][column] += a[k][row] * b[k][column];
    }
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const WarpRequest& asked = meeting.asked[lane];
    for (std::uint32_t i = 0; i < kLaneC; ++i) {
      const auto [row, column] = placeInC(lane, i);
      asked.result[i] = {c[row][column], Provenance::accumulator(asked.number + i)};
    }
  }
}

}  // namespace tileloom::emulator
