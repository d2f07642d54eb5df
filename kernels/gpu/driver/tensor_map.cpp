// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/tensor_map.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

constexpr int kBytes = 2;  // of an element

int swizzleOf(std::uint32_t bytes) {
  switch (bytes) {
    case 128:
      return cu::kTensorMapSwizzle128;
    case 64:
      return cu::kTensorMapSwizzle64;
    case 32:
      return cu::kTensorMapSwizzle32;
    default:
      return cu::kTensorMapSwizzleNone;
  }
}

// `doing` and `instead` are for the sentence if the driver rejects it.
Result<cu::TensorMap> encoded(const Driver& driver, const MappedTensor& t, int type,
                              const std::string& doing, std::string_view instead) {
  const auto encode = driver.api().cuTensorMapEncodeTiled;
  if (encode == nullptr) {
    return fail(
        Trouble::Unsupported,
        fmt::format("the driver ({}, for CUDA {}.{}) cannot create a tensor map for TMA, because "
                    "it has no cuTensorMapEncodeTiled: install a driver for CUDA 12 or newer",
                    quotableFile(driver.path()), driver.version() / 1000,
                    driver.version() % 1000 / 10));
  }
  std::array<unsigned long long, 5> sizes{}, strides{};
  std::array<unsigned, 5> sides{}, steps{};
  for (std::size_t i = 0; i < t.dimensions; ++i) {
    sizes[i] = t.extents[i];
    sides[i] = t.box[i];
    steps[i] = 1;
    // The innermost dimension has no stride.
    if (i > 0) strides[i - 1] = t.strides[i];
  }
  cu::TensorMap map;
  const cu::Result result =
      encode(&map, type, t.dimensions, reinterpret_cast<void*>(t.address), sizes.data(),
             strides.data(), sides.data(), steps.data(), cu::kTensorMapNotInterleaved,
             swizzleOf(t.swizzle), cu::kTensorMapPromote256, cu::kTensorMapZeros);
  if (result == cu::kSuccess) return map;
  if (result != cu::kInvalidValue) return tl::unexpected(driver.error(result, doing));
  return fail(Trouble::Unsupported,
              fmt::format("the driver rejects a tensor map {}: {}", doing, instead));
}

}  // namespace

Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedMatrix& m, const Box& box) {
  const auto wide = [](int value) { return static_cast<std::uint64_t>(value); };
  const auto narrow = [](int value) { return static_cast<std::uint32_t>(value); };
  MappedTensor tensor;
  tensor.address = m.address;
  tensor.extents = {wide(m.columns), wide(m.rows)};
  tensor.strides = {0, kBytes * wide(m.columns)};
  tensor.box = {narrow(box.columns), narrow(box.rows)};
  tensor.swizzle = narrow(box.swizzle);
  return encoded(driver, tensor,
                 m.format == Format::Fp16 ? cu::kTensorMapFloat16 : cu::kTensorMapBfloat16,
                 fmt::format("for boxes of {} x {} elements of a matrix of {} x {}, in rows of {} "
                             "bytes",
                             box.rows, box.columns, m.rows, m.columns, box.swizzle),
                 "choose another tile or size");
}

Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedTensor& tensor) {
  const int type = tensor.elementBytes == 1   ? cu::kTensorMapBytes
                   : tensor.elementBytes == 2 ? cu::kTensorMapWords16
                   : tensor.elementBytes == 4 ? cu::kTensorMapWords32
                                              : cu::kTensorMapWords64;
  return encoded(driver, tensor, type,
                 fmt::format("of {} dimensions for elements of {} bytes", tensor.dimensions,
                             tensor.elementBytes),
                 "choose other sides or another box");
}

}  // namespace tileloom::gpu
