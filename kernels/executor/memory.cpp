// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::executor {
namespace {

constexpr std::uint64_t kFirstAddress = 0x7f0000000000, kRoom = 1 << 20, kAlign = 512;

bool holds(const Buffer& buffer, std::uint64_t address, std::uint32_t bytes) {
  return address >= buffer.address && address - buffer.address <= buffer.bytes.size() &&
         buffer.bytes.size() - (address - buffer.address) >= bytes;
}

}  // namespace

void placeBuffers(std::vector<Buffer>& buffers) {
  std::uint64_t next = kFirstAddress;
  for (Buffer& each : buffers) {
    each.address = next;
    next += (each.bytes.size() + kAlign - 1) / kAlign * kAlign + kRoom;
  }
}

BlockMemory::BlockMemory(const Launch& launch, std::span<Buffer> buffers) : buffers_(buffers) {
  shared_.resize(static_cast<std::size_t>(launch.kernel->sharedBytes) + launch.dynamicShared);
}

std::uint8_t* BlockMemory::global(std::uint64_t address, std::uint32_t bytes) {
  if (last_ >= buffers_.size() || !holds(buffers_[last_], address, bytes)) {
    const auto found = std::ranges::find_if(
        buffers_, [&](const Buffer& each) { return holds(each, address, bytes); });
    if (found == buffers_.end()) return nullptr;
    last_ = static_cast<std::size_t>(found - buffers_.begin());
  }
  return buffers_[last_].bytes.data() + (address - buffers_[last_].address);
}

std::string BlockMemory::outside(std::uint64_t address) const {
  if (address < kFirstAddress - kRoom) return "it is in no buffer";
  // The buffer that is nearest.
  const Buffer* nearest = nullptr;
  std::uint64_t least = kRoom;
  bool behind = false;
  for (const Buffer& each : buffers_) {
    const std::uint64_t end = each.address + each.bytes.size();
    const bool after = address >= each.address;
    const std::uint64_t distance = !after           ? each.address - address
                                   : address >= end ? address - end
                                                    : 0;
    if (distance >= least) continue;
    least = distance;
    nearest = &each;
    behind = after;
  }
  if (nearest == nullptr) return "it is in no buffer";
  if (least == 0) return fmt::format("it is right behind the end of {}", nearest->name);
  return fmt::format("it begins {} bytes {} {}", least,
                     behind ? "behind the end of" : "before the start of", nearest->name);
}

std::uint8_t* BlockMemory::shared(std::uint64_t address, std::uint32_t bytes) {
  if (address > shared_.size() || shared_.size() - address < bytes) return nullptr;
  return shared_.data() + address;
}

void BlockMemory::clearShared() {
  std::ranges::fill(shared_, std::uint8_t{0});
}

}  // namespace tileloom::executor
