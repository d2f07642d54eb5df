// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/executor/block.h"
#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/executor/recorded/machine_recorder.h"
#include "kernels/executor/several.h"
#include "kernels/own/executable_launch.h"
#include "kernels/sass/cubin/kernel_name.h"
#include "kernels/tile/format.h"

namespace tileloom::own {
namespace {

using executor::Extent3;

constexpr std::uint64_t kBlockInstructions = 20'000'000, kCheckInstructions = 60'000'000;
constexpr int kSlab = 32;  // elements of K, for a kernel without K tiles in shared memory

int quotientUp(int a, int b) {
  return b > 0 ? (a + b - 1) / b : 0;
}

std::optional<Format> formatOf(const LaunchFile& file) {
  for (const Parameter& p : file.parameters) {
    if (p.kind != Parameter::Kind::Matrix || p.name != "A") continue;
    if (p.type == "f32") return Format::Fp32;
    if (p.type == "f16") return Format::Fp16;
    if (p.type == "bf16") return Format::Bf16;
  }
  return std::nullopt;
}

Names sizesOf(const Problem& problem) {
  return {{"M", problem.m}, {"N", problem.n}, {"K", problem.k}};
}

// Finds which part of C each block stores.
class Places : public executor::Observer {
 public:
  Places(const executor::Buffer& c, std::uint32_t bytes, std::uint32_t columns, std::size_t blocks)
      : c_(c), bytes_(bytes), columns_(columns), first_(blocks) {}

  void begin(const executor::BlockStart&) override {}
  void end(std::uint32_t) override {}
  void see(const executor::BarrierArrival&) override {}
  void see(const executor::CopyStep&) override {}
  void see(const executor::Access& access) override {
    if (access.memory != executor::Memory::Global || access.use != executor::Use::Store) return;
    for (std::uint32_t lane = 0; lane < executor::kLanes; ++lane) {
      if ((access.lanes >> lane & 1) == 0 || access.at[lane] < c_.address ||
          access.at[lane] - c_.address >= c_.bytes.size())
        continue;
      const auto element = static_cast<std::uint32_t>((access.at[lane] - c_.address) / bytes_);
      auto& first = first_[access.block];
      const std::pair place(element / columns_, element % columns_);
      first = first ? std::pair(std::min(first->first, place.first),
                                std::min(first->second, place.second))
                    : place;
    }
  }
  // Row and column of the first element of C of each block; std::nullopt: it stores none.
  const std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>>& first() const {
    return first_;
  }

 private:
  const executor::Buffer& c_;
  std::uint32_t bytes_, columns_;
  std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>> first_;
};

Extent3 placeOfBlock(std::uint32_t number, const Extent3& grid) {
  return {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]};
}

}  // namespace

struct OwnKernel::Recorded {
  emulator::Trace trace;
  std::string failure;  // empty: the block has ended
};

OwnKernel::OwnKernel(OwnInput input) : input_(std::move(input)) {
  image_ = input_.module->named(input_.kernel);
}

const OwnKernel* OwnKernel::of(const Stage& stage) {
  return stage.traced == &OwnKernel::traced ? static_cast<const OwnKernel*>(&stage) : nullptr;
}

tl::expected<ExecutableLaunch, std::string> OwnKernel::launchOn(const Problem& problem) const {
  auto made = executableLaunch(input_.launch, sizesOf(problem), *input_.module, *image_);
  if (!made) return tl::unexpected(fmt::format("the launch file: {}", made.error()));
  return made;
}

// A trace without an instruction.
OwnKernel::Recorded OwnKernel::nothing(std::string why) const {
  executor::Launch none;
  none.module = input_.module.get();
  none.kernel = image_;
  executor::recorded::RecordRequest request;
  request.launch = &none;
  executor::recorded::MachineRecorder recorder(std::move(request));
  return {recorder.take(), std::move(why)};
}

OwnKernel::Recorded OwnKernel::block(const Problem& problem, std::uint32_t number,
                                     std::uint32_t stepK, bool operands) const {
  auto all = launchOn(problem);
  if (!all) return nothing(all.error());
  all->launch.only = placeOfBlock(number, all->launch.grid);
  executor::recorded::RecordRequest request;
  request.launch = &all->launch;
  request.buffers = all->arguments.buffers;
  request.roles = all->roles.each;
  request.stepK = stepK;
  request.operands = operands;
  request.block = number;
  executor::recorded::MachineRecorder recorder(std::move(request));
  executor::recorded::MachineJudges judges(all->launch, title_, input_.file);
  executor::Several both({&recorder, &judges});
  const auto ended =
      executor::execute(all->launch, all->arguments.buffers, {kBlockInstructions}, &both);
  Recorded recorded{recorder.take(), ended ? std::string() : ended.error()};
  recorded.trace.faults = judges.faults();
  return recorded;
}

// The sizes are the user's, and recordings may need more memory than there is.
OwnKernel::Recorded OwnKernel::blockOrFailure(const Problem& problem, std::uint32_t number,
                                              std::uint32_t stepK, bool operands) const {
  try {
    return block(problem, number, stepK, operands);
  } catch (const std::bad_alloc&) {
    return nothing("this machine does not have enough memory for this size");
  }
}

std::string OwnKernel::read() {
  if (image_ == nullptr) return fmt::format("there is no kernel {}", input_.kernel);
  title_ = sass::kernelTitle(input_.kernel);
  const auto format = formatOf(input_.launch);
  if (!format) return "the launch file has no matrix A of f32, f16 or bf16";
  const auto size = [this](const char* name) {
    const auto found = input_.launch.sizes.find(name);
    return found == input_.launch.sizes.end() ? 0 : static_cast<int>(found->second);
  };
  // Numbers that do not fit an int are refused here.
  if (const auto fits = resolved(input_.launch, {}); !fits)
    return fmt::format("the launch file: {}", fits.error());
  usual_ = {size("M"), size("N"), size("K")};
  const auto all = launchOn(usual_);
  if (!all) return all.error();
  if (!all->roles.whyNot.empty()) return all->roles.whyNot;
  const Recorded first = block(usual_, 0, 0, true);
  if (!first.failure.empty()) return first.failure;
  shape_ = shapeOf(first.trace);
  if (!shape_.known())
    return "its first block stores no element of C that is known to be a sum of products of A and "
           "B";
  totals_ = analysis::blockTotals(first.trace);
  const Extent3& grid = all->launch.grid;
  Own own;
  own.rows = static_cast<int>(shape_.rows);
  own.columns = static_cast<int>(shape_.columns);
  own.stepK = shape_.stepK > 0 ? static_cast<int>(shape_.stepK) : std::min(kSlab, usual_.k);
  own.threads = static_cast<int>(first.trace.threads);
  own.buffers = static_cast<int>(shape_.buffers);
  own.sharedBytes = static_cast<int>(first.trace.sharedBytes);
  own.registers = image_->info.registers;
  own.features = first.trace.features();
  own.features.sharedTiles = shape_.stepK > 0;
  own.mma = first.trace.mma();
  kind = own;
  formats = {*format};
  ladder = *format == Format::Fp32 ? Ladder::Fp32 : Ladder::Tensor;

  const auto down = static_cast<std::uint32_t>(quotientUp(usual_.m, own.rows)),
             across = static_cast<std::uint32_t>(quotientUp(usual_.n, own.columns));
  const auto startsAt = [&](std::uint32_t number, std::uint32_t row, std::uint32_t column) {
    if (row >= down || column >= across) return true;  // there is none to ask
    const KernelShape its = shapeOf(block(usual_, number, 0, true).trace);
    return its.firstRow == row * shape_.rows && its.firstColumn == column * shape_.columns;
  };
  const bool flat = grid[2] == 1 && shape_.firstRow == 0 && shape_.firstColumn == 0;
  if (flat && grid[0] == across && grid[1] == down && startsAt(1, 0, 1) && startsAt(across, 1, 0))
    order_ = Order::Columns;
  else if (flat && grid[0] == down && grid[1] == across && startsAt(1, 1, 0) &&
           startsAt(down, 0, 1))
    order_ = Order::Rows;
  else
    order_ = Order::Table;
  rowsAlongX = order_ == Order::Rows;
  describe();
  OwnKernel::Stage::traced = &OwnKernel::traced;
  verify();
  return {};
}

void OwnKernel::describe() {
  id = "own";
  title = title_;
  idea_ = fmt::format("a kernel of {}", input_.file);
  idea = idea_;
  file = input_.file;
  text = input_.source;
}

void OwnKernel::verify() {
  auto all = launchOn(usual_);
  if (!all) {
    check_.whyNot = all.error();
    return;
  }
  const std::vector<executor::Buffer> before = all->arguments.buffers;
  const auto ended = executor::execute(all->launch, all->arguments.buffers, {kCheckInstructions});
  if (ended)
    check_ = checkProduct(all->resolved, before, all->arguments.buffers);
  else
    check_.whyNot = ended.error();
}

// The number of the block that computes a tile of C.
std::optional<std::uint32_t> OwnKernel::blockOf(const Extent& tile, const Problem& problem) const {
  const Own& own = std::get<Own>(kind);
  const int across = quotientUp(problem.n, own.columns), down = quotientUp(problem.m, own.rows);
  // The tile is named as the grid of rows and columns counts (launchOf()).
  if (order_ != Order::Table)
    return static_cast<std::uint32_t>(tile.y * (order_ == Order::Rows ? down : across) + tile.x);
  const std::scoped_lock lock(mutex_);
  auto [found, fresh] = tables_.try_emplace({problem.m, problem.n});
  std::vector<std::uint32_t>& table = found->second;
  constexpr std::uint32_t kNone = ~0u;
  if (fresh) {
    table.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(down), kNone);
    constexpr std::size_t kMostBlocks = 1 << 16;
    Problem first = problem;
    first.k = std::min(problem.k, own.stepK);
    auto all = launchOn(first);
    const executor::Extent3 grid = all ? all->launch.grid : executor::Extent3{0, 0, 0};
    const std::size_t blocks = std::size_t{grid[0]} * grid[1] * grid[2];
    if (all && all->roles.whyNot.empty() && blocks > 0 && blocks <= kMostBlocks) {
      const executor::recorded::Role& c = all->roles.each.back();
      Places places(all->arguments.buffers[c.buffer], c.bytes, c.columns, blocks);
      // Blocks before a failure are known.
      (void)executor::execute(all->launch, all->arguments.buffers, {kCheckInstructions}, &places);
      for (std::size_t number = 0; number < blocks; ++number) {
        const auto& at = places.first()[number];
        if (!at) continue;
        const std::size_t place =
            std::size_t{at->first / shape_.rows} * static_cast<std::size_t>(across) +
            at->second / shape_.columns;
        if (place < table.size() && table[place] == kNone)
          table[place] = static_cast<std::uint32_t>(number);
      }
    }
  }
  const auto place = static_cast<std::size_t>(tile.y) * static_cast<std::size_t>(across) +
                     static_cast<std::size_t>(tile.x);
  if (place >= table.size() || table[place] == kNone) return std::nullopt;
  return table[place];
}

emulator::Trace OwnKernel::traced(const emulator::TraceRequest& request) {
  return of(*request.rung())->traceOf(request);
}

emulator::Trace OwnKernel::traceOf(const emulator::TraceRequest& request) const {
  const auto step = std::get<Own>(kind).stepK;
  Problem executed = request.problem;
  // As if K ended after the wanted tiles: a kernel of the user cannot be stopped before.
  if (request.kTiles > 0)
    executed.k =
        static_cast<int>(std::min<std::int64_t>(executed.k, std::int64_t{request.kTiles} * step));
  if (request.kElements > 0) executed.k = std::min(executed.k, static_cast<int>(request.kElements));
  const auto number = blockOf(request.block, request.problem);
  Recorded recorded =
      !number
          ? nothing(fmt::format("which block computes tile ({}, {}) of C is not known",
                                request.block.x, request.block.y))
          : blockOrFailure(executed, *number, static_cast<std::uint32_t>(step), request.operands);
  emulator::Trace& trace = recorded.trace;
  trace.subject() = request;
  trace.asked = trace.problem = request.problem;
  trace.block = request.block;
  const auto tilesOf = [&](int k) { return static_cast<std::uint32_t>(quotientUp(k, step)); };
  trace.kTiles = tilesOf(request.problem.k);
  trace.kTilesTraced = tilesOf(executed.k);
  if (!recorded.failure.empty()) {
    emulator::Fault fault;
    fault.kind = emulator::FaultKind::Stopped;
    fault.stage = title_;
    fault.block = request.block;
    fault.file = input_.file;
    fault.detail = recorded.failure;
    trace.faults.add(fault);
  }
  return std::move(recorded.trace);
}

tl::expected<std::shared_ptr<const OwnKernel>, std::string> openKernel(OwnInput input) {
  const std::shared_ptr<OwnKernel> opened(new OwnKernel(std::move(input)));
  std::string why = opened->read();
  if (!why.empty()) return tl::unexpected(std::move(why));
  return opened;
}

}  // namespace tileloom::own
