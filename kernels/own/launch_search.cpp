// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/launch_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/analysis/block_product.h"
#include "kernels/executor/block.h"
#include "kernels/executor/memory.h"
#include "kernels/executor/recorded/machine_recorder.h"
#include "kernels/own/executable_launch.h"
#include "kernels/sass/decode.h"

namespace tileloom::own {
namespace {

using analysis::BlockProduct;
using Kinds = std::vector<Parameter>;
using Sides = std::array<std::string, 3>;

// Blocks that are executed alone: the grid only has to be large enough.
constexpr int kTriedM = 512, kTriedN = 768, kTriedK = 64;
constexpr std::uint64_t kTriedInstructions = 3'000'000, kAllInstructions = 400'000'000;

Parameter whole(const char* text) {
  Parameter made;
  made.text = text;
  return made;
}
Parameter factor(Parameter::Kind kind) {
  Parameter made;
  made.kind = kind;
  return made;
}
Parameter matrix(const char* name, const std::string& type) {
  Parameter made;
  made.kind = Parameter::Kind::Matrix;
  made.name = name;
  made.type = type;
  return made;
}

struct Types {
  std::string factors, result;
};

// The formats that its instructions multiply.
std::vector<Types> typesOf(const sass::Module& module, const sass::KernelImage& kernel) {
  bool halves = false, bfloats = false, doubles = false;
  for (std::size_t i = 0; i < kernel.words.size(); ++i) {
    const auto decoded = sass::decode(
        kernel.words[i], static_cast<std::uint32_t>(i * sass::kCodeWordBytes), module.capability);
    if (!decoded) continue;
    const std::string mnemonic = decoded->mnemonic();
    const bool isHalf = mnemonic.starts_with("HFMA2") || mnemonic.starts_with("HMMA") ||
                        mnemonic.starts_with("HMUL2") || mnemonic.starts_with("HADD2");
    const bool isBf = mnemonic.find("BF16") != std::string::npos;
    bfloats = bfloats || isBf;
    // HFMA2.MMA with zeros moves a constant.
    halves = halves || (isHalf && !isBf && !mnemonic.starts_with("HFMA2.MMA"));
    doubles = doubles || mnemonic.starts_with("DFMA") || mnemonic.starts_with("DMMA");
  }
  std::vector<Types> types = {{"f32", "f32"}};
  const auto put = [&](const char* factors, const char* result) {
    types.insert(types.begin(), {factors, result});
  };
  if (bfloats) put("bf16", "f32"), put("bf16", "bf16");
  if (halves) put("f16", "f32"), put("f16", "f16");
  if (doubles) put("f64", "f64");
  return types;
}

// What the parameters may be, by their sizes. Empty: no usual list has these.
std::vector<Kinds> listsOf(const sass::KernelInfo& kernel, const Types& types) {
  std::size_t pointers = 0, numbers = 0;
  for (const sass::KernelParameter& each : kernel.parameters)
    ++(each.bytes == 8 ? pointers : numbers);
  static constexpr std::array<std::array<const char*, 3>, 3> kPointers = {
      {{"A", "B", "C"}, {"C", "A", "B"}, {"B", "A", "C"}}};
  static constexpr std::array<std::array<const char*, 3>, 3> kSizes = {
      {{"M", "N", "K"}, {"N", "M", "K"}, {"M", "K", "N"}}};
  // Factors are before the pointers that they are for, or together.
  using Kind = Parameter::Kind;
  const auto listed = [&](const auto& names, const auto& sizes, bool factorsFirst) {
    Kinds list;
    std::size_t pointer = 0, size = 0, real = 0;
    const bool hasFactors = numbers == 5 || numbers == 8;
    const bool hasStrides = numbers == 6 || numbers == 8;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (kernel.parameters[i].bytes == 8) {
        const char* const name = names[pointer++];
        list.push_back(matrix(name, *name == 'C' ? types.result : types.factors));
        continue;
      }
      const bool behindPointer = i > 0 && kernel.parameters[i - 1].bytes == 8;
      if (hasStrides && behindPointer && size >= 3) {
        list.push_back(whole(*names[pointer - 1] == 'A' ? "K" : "N"));
      } else if (hasFactors && real < 2 && (size >= 3 || (factorsFirst && pointer == 3))) {
        list.push_back(factor(real++ == 0 ? Kind::Alpha : Kind::Beta));
      } else if (size < 3) {
        list.push_back(whole(sizes[size++]));
      } else {
        list.push_back(whole("1"));
      }
    }
    return list;
  };
  std::vector<Kinds> lists;
  if (pointers != 3 || (numbers != 3 && numbers != 5 && numbers != 6 && numbers != 8)) return lists;
  for (const auto& sizes : kSizes)
    for (const auto& names : kPointers)
      for (const bool factorsFirst : {false, true}) {
        Kinds list = listed(names, sizes, factorsFirst);
        if (std::ranges::find(lists, list) == lists.end()) lists.push_back(std::move(list));
      }
  return lists;
}

// The list that the source suggests. Empty: it suggests none, or one that does not fit.
Kinds hintedList(const sass::KernelInfo& kernel, const SourceHints& hints, const Types& types) {
  Kinds list = hints.parameters;
  if (list.size() != kernel.parameters.size()) return {};
  std::string names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].kind != Parameter::Kind::Matrix) continue;
    if (kernel.parameters[i].bytes != 8) return {};
    if (list[i].type.empty()) list[i].type = list[i].name == "C" ? types.result : types.factors;
    names += list[i].name;
  }
  std::ranges::sort(names);
  return names == "ABC" ? list : Kinds{};
}

// Threads of a block: what the source or the file says, or usual shapes.
std::vector<Sides> threadsOf(const sass::KernelInfo& kernel, const SourceHints& hints) {
  const auto text = [](std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
    return Sides{fmt::format("{}", x), fmt::format("{}", y), fmt::format("{}", z)};
  };
  const auto& required = kernel.requiredThreads;
  if (required[0] != 0)
    return {text(required[0], std::max(1u, required[1]), std::max(1u, required[2]))};
  std::vector<std::uint32_t> counts = {256, 128, 1024, 64, 512};
  if (kernel.mostThreads[0] != 0) counts.insert(counts.begin(), kernel.mostThreads[0]);
  std::vector<Sides> all = hints.threads;
  const auto add = [&](const Sides& sides) {
    if (std::ranges::find(all, sides) == all.end()) all.push_back(sides);
  };
  for (const std::uint32_t count : counts) {
    if (kernel.mostThreads[0] != 0 && count > kernel.mostThreads[0]) continue;
    add(text(count));
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(count)));
    if (side * side == count) add(text(side, side));
    constexpr std::uint32_t kLanes = 32;
    if (count > kLanes) add(text(kLanes, count / kLanes));
  }
  return all;
}

class Search {
 public:
  Search(const sass::Module& module, const sass::KernelImage& kernel, const SourceHints& hints)
      : module_(module), kernel_(kernel), hints_(hints) {}

  tl::expected<FoundLaunch, std::string> run() {
    std::string why = "its parameters are not three pointers with 3, 5, 6 or 8 numbers";
    const std::vector<Sides> blocks = threadsOf(kernel_.info, hints_);
    for (const Kinds& list : lists()) {
      why = "no block adds all products of a tile of C";
      for (const Sides& threads : blocks) {
        LaunchFile file;
        file.kernel = kernel_.name;
        file.parameters = list;
        file.threads = threads;
        // A kernel without factors computes C = A B.
        if (std::ranges::find(list, Parameter::Kind::Beta, &Parameter::kind) != list.end()) {
          file.alpha = 2;
          file.beta = 1;
        }
        if (auto found = complete(std::move(file))) return *found;
      }
    }
    return tl::unexpected(fmt::format(
        "the launch was not found, after {} tries: {}: write a launch file", tried_, why));
  }

 private:
  // What the parameters may be, the hint first.
  std::vector<Kinds> lists() const {
    std::vector<Kinds> all;
    const auto add = [&](Kinds list) {
      if (std::ranges::find(all, list) == all.end()) all.push_back(std::move(list));
    };
    const std::vector<Types> types = typesOf(module_, kernel_);
    for (const Types& each : types)
      if (Kinds list = hintedList(kernel_.info, hints_, each); !list.empty()) add(std::move(list));
    for (const Types& each : types)
      for (Kinds& list : listsOf(kernel_.info, each)) add(std::move(list));
    return all;
  }
  // The products of one block. nullopt: it fails, or they are not those of a tile of C.
  std::optional<BlockProduct> block(LaunchFile& file, const executor::Extent3& which) {
    file.sizes = {{"M", kTriedM}, {"N", kTriedN}, {"K", kTriedK}};
    file.grid = {"4096", "64", "1"};
    auto all = executableLaunch(file, {}, module_, kernel_);
    if (!all || !all->roles.whyNot.empty()) return std::nullopt;
    executor::Launch& made = all->launch;
    made.only = which;
    ++tried_;
    executor::recorded::RecordRequest request;
    request.launch = &made;
    request.buffers = all->arguments.buffers;
    request.roles = all->roles.each;
    request.block = which[0] + which[1] * made.grid[0];
    executor::recorded::MachineRecorder recorder(std::move(request));
    const auto ended =
        executor::execute(made, all->arguments.buffers, {kTriedInstructions}, &recorder);
    if (!ended) {
      // More shared memory than the file says: the launch may add it.
      if (file.shared == "0" && ended.error().find("shared memory") != std::string::npos) {
        file.shared = fmt::format(
            "{}", executor::kMostShared - static_cast<std::uint64_t>(kernel_.sharedBytes));
        return block(file, which);
      }
      return std::nullopt;
    }
    const BlockProduct product = analysis::blockProductOf(recorder.take());
    const bool whole = product.elements > 0 && product.complete == product.elements &&
                       product.foreign == 0 && product.repeated == 0 && product.isRectangle();
    return whole ? std::optional(product) : std::nullopt;
  }

  std::optional<FoundLaunch> complete(LaunchFile file) {
    const auto first = block(file, {0, 0, 0});
    if (!first || first->firstRow != 0 || first->firstColumn != 0) return std::nullopt;
    FoundLaunch found;
    found.tileRows = first->lastRow + 1;
    found.tileColumns = first->lastColumn + 1;
    const std::string alongM = fmt::format("cdiv(M, {})", found.tileRows),
                      alongN = fmt::format("cdiv(N, {})", found.tileColumns);
    const auto right = block(file, {1, 0, 0}), below = block(file, {0, 1, 0});
    if (!right) return std::nullopt;
    if (below && *below == *first)
      file.grid = {fmt::format("{} * {}", alongM, alongN), "1", "1"};
    else if (right->firstColumn != 0)
      file.grid = {alongN, alongM, "1"};
    else
      file.grid = {alongM, alongN, "1"};
    file.sizes = {{"M", 2 * found.tileRows}, {"N", 3 * found.tileColumns}, {"K", kTriedK}};
    if (!check(file, found)) return std::nullopt;
    found.file = std::move(file);
    found.tried = tried_;
    return found;
  }

  bool check(const LaunchFile& file, FoundLaunch& found) {
    auto all = executableLaunch(file, {}, module_, kernel_);
    if (!all) return false;
    std::vector<executor::Buffer>& buffers = all->arguments.buffers;
    const std::vector<executor::Buffer> before = buffers;
    if (!executor::execute(all->launch, buffers, {kAllInstructions})) return false;
    found.check = checkProduct(all->resolved, before, buffers);
    return found.check.right();
  }

  const sass::Module& module_;
  const sass::KernelImage& kernel_;
  const SourceHints& hints_;
  int tried_ = 0;
};

}  // namespace

tl::expected<FoundLaunch, std::string> foundLaunch(const sass::Module& module,
                                                   const sass::KernelImage& kernel,
                                                   const SourceHints& hints) {
  return Search(module, kernel, hints).run();
}

}  // namespace tileloom::own
