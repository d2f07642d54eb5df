// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/tensor_map.h"

#include <fmt/format.h>

#include <array>

#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

constexpr int kBytes = 2;  // of an element

int swizzleOf(const Box& box) {
  switch (box.swizzle) {
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

}  // namespace

Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedMatrix& m, const Box& box) {
  const auto encode = driver.api().cuTensorMapEncodeTiled;
  if (encode == nullptr) {
    return fail(
        Trouble::Unsupported,
        fmt::format("the driver ({}, for CUDA {}.{}) cannot create a tensor map for TMA, because "
                    "it has no cuTensorMapEncodeTiled: install a driver for CUDA 12 or newer",
                    quotableFile(driver.path()), driver.version() / 1000,
                    driver.version() % 1000 / 10));
  }
  const int type = m.format == Format::Fp16 ? cu::kTensorMapFloat16 : cu::kTensorMapBfloat16;
  const auto wide = [](int value) { return static_cast<unsigned long long>(value); };
  const auto narrow = [](int value) { return static_cast<unsigned>(value); };
  // The innermost dimension comes first; it has no stride.
  const std::array<unsigned long long, 2> sizes = {wide(m.columns), wide(m.rows)};
  const std::array<unsigned long long, 1> strides = {kBytes * wide(m.columns)};
  const std::array<unsigned, 2> sides = {narrow(box.columns), narrow(box.rows)};
  const std::array<unsigned, 2> steps = {1, 1};
  cu::TensorMap map;
  const cu::Result result =
      encode(&map, type, 2, reinterpret_cast<void*>(m.address), sizes.data(), strides.data(),
             sides.data(), steps.data(), cu::kTensorMapNotInterleaved, swizzleOf(box),
             cu::kTensorMapPromote256, cu::kTensorMapZeros);
  if (result == cu::kSuccess) return map;
  const std::string doing =
      fmt::format("for boxes of {} x {} elements of a matrix of {} x {}, in rows of {} bytes",
                  box.rows, box.columns, m.rows, m.columns, box.swizzle);
  if (result != cu::kInvalidValue) return tl::unexpected(driver.error(result, doing));
  return fail(
      Trouble::Unsupported,
      fmt::format("the driver rejects a tensor map {}: choose another tile or size", doing));
}

}  // namespace tileloom::gpu
