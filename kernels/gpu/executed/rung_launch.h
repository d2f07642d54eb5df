// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled rung as a launch of its machine code on the host (kernels/executor): the arguments,
// the grid of a GPU, and the matrices.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/analysis/counts/machine_totals.h"
#include "kernels/emulator/trace.h"
#include "kernels/executor/block.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/tile/residency.h"

namespace tileloom::gpu {

class RungLaunch {
 public:
  // Its matrices have the size that the kernel needs, padding included, and are zero. The error is
  // one sentence without a full stop. `problem` as asked, not padded.
  static tl::expected<RungLaunch, std::string> of(const Build& build, const Problem& problem,
                                                  int sms = kUsualSms);

  const Problem& padded() const { return padded_; }
  // The elements of a matrix in memory, row by row.
  std::vector<std::uint8_t>& a() { return buffers_[0].bytes; }
  std::vector<std::uint8_t>& b() { return buffers_[1].bytes; }
  std::vector<std::uint8_t>& c() { return buffers_[2].bytes; }
  // What the blocks store for each other (leftMemory); empty: nothing.
  std::vector<std::uint8_t>& parts() { return buffers_[3].bytes; }
  // Fills A, B and C with numbers from -1 to 1.
  void randomise(std::uint32_t seed);
  float alpha = 1, beta = 0;  // of FP32

  const executor::Launch& launch() const { return launch_; }
  // Executes all blocks. C has the result afterwards.
  tl::expected<executor::Executed, std::string> execute(executor::Observer* observer = nullptr);
  // Executes one block and records it.
  tl::expected<emulator::Trace, std::string> record(Extent block);
  // Executes all blocks, and says what the counters would show.
  tl::expected<analysis::Totals, std::string> count();

 private:
  RungLaunch() = default;
  std::vector<std::uint8_t> arguments() const;

  Subject subject_;
  Problem padded_;
  std::shared_ptr<const sass::Module> module_;
  executor::Launch launch_;
  std::vector<executor::Buffer> buffers_;  // A, B, C, and the memory of parts of tiles
};

}  // namespace tileloom::gpu
