// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel of the user as the program looks at it: a Stage whose recordings are of machine code.
// What it has instead of a descriptor was read from a recording of its first block.
//
//   const auto kernel = openKernel({module, name, launch, "gemm.cu", text});
//   if (!kernel) …                       // one sentence: why it cannot be launched
//   emulator::TraceRequest request{…};   // of (*kernel)->stage(), as of a rung
//   analysis::record(workspace, request);
//
// A Stage is passed on by its address: a kernel that was opened has to outlive whatever has it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/own/executable_launch.h"
#include "kernels/own/kernel_shape.h"
#include "kernels/own/launch_file.h"
#include "kernels/own/product_check.h"
#include "kernels/sass/cubin/module.h"
#include "kernels/tile/stage.h"

namespace tileloom::own {

struct OwnInput {
  std::shared_ptr<const sass::Module> module;
  std::string kernel;  // its whole name in the module
  LaunchFile launch;
  std::string file;           // as sentences name it: "gemm.cu"
  std::string path;           // where it is
  std::string source;         // empty: there is none
  std::string compiler = {};  // "NVRTC 13.0"; empty: the file was machine code
};

class OwnKernel : private Stage {
 public:
  OwnKernel(const OwnKernel&) = delete;
  OwnKernel& operator=(const OwnKernel&) = delete;

  const Stage& stage() const { return *this; }
  // nullptr: the stage is a rung.
  static const OwnKernel* of(const Stage& stage);

  const OwnInput& input() const { return input_; }
  const sass::KernelImage& image() const { return *image_; }
  Problem usualProblem() const { return usual_; }
  const KernelShape& shape() const { return shape_; }
  // Of the whole launch on the usual problem; its `whyNot` also says that it has failed.
  const ProductCheck& check() const { return check_; }
  // Of its first block on the usual problem.
  const analysis::Totals& totals() const { return totals_; }
  // Whether one of the two was made from the other's file after that had changed.
  bool isVersionOf(const OwnKernel& other) const {
    return input_.path == other.input_.path && input_.kernel == other.input_.kernel;
  }

 private:
  friend tl::expected<std::shared_ptr<const OwnKernel>, std::string> openKernel(OwnInput input);
  enum class Order : std::uint8_t { Columns, Rows, Table };
  struct Recorded;

  explicit OwnKernel(OwnInput input);
  std::string read();  // empty, or why it cannot be launched
  void describe();
  void verify();
  static emulator::Trace traced(const emulator::TraceRequest& request);
  emulator::Trace traceOf(const emulator::TraceRequest& request) const;
  // One block of the launch on this problem. `number`: as the grid counts.
  Recorded block(const Problem& problem, std::uint32_t number, std::uint32_t stepK,
                 bool operands) const;
  Recorded blockOrFailure(const Problem& problem, std::uint32_t number, std::uint32_t stepK,
                          bool operands) const;
  Recorded nothing(std::string why) const;
  tl::expected<ExecutableLaunch, std::string> launchOn(const Problem& problem) const;
  std::optional<std::uint32_t> blockOf(const Extent& tile, const Problem& problem) const;

  OwnInput input_;
  const sass::KernelImage* image_ = nullptr;
  Problem usual_;
  KernelShape shape_;
  ProductCheck check_;
  Order order_ = Order::Columns;
  analysis::Totals totals_;
  std::string title_, idea_;
  // By problem: the number of the block that computes each tile of C, row by row.
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, std::vector<std::uint32_t>> tables_;
};

// The error is one sentence without a full stop.
tl::expected<std::shared_ptr<const OwnKernel>, std::string> openKernel(OwnInput input);

}  // namespace tileloom::own
