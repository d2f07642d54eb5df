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

BlockMemory::BlockMemory(const Launch& launch, std::span<Buffer> buffers,
                         std::span<Buffer> variables)
    : launch_(&launch), buffers_(buffers), variables_(variables) {
  shared_.resize(static_cast<std::size_t>(launch.kernel->sharedBytes) + launch.dynamicShared);
}

std::uint8_t* BlockMemory::global(std::uint64_t address, std::uint32_t bytes) {
  if (last_ >= buffers_.size() || !holds(buffers_[last_], address, bytes)) {
    const auto has = [&](const Buffer& each) { return holds(each, address, bytes); };
    const auto found = std::ranges::find_if(buffers_, has);
    if (found == buffers_.end()) {
      const auto variable = std::ranges::find_if(variables_, has);
      if (variable == variables_.end()) return nullptr;
      return variable->bytes.data() + (address - variable->address);
    }
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
  if (address >> kRankShift == rank_) address &= kPlaceMask;
  if (address > shared_.size() || shared_.size() - address < bytes) return nullptr;
  return shared_.data() + address;
}

BlockMemory* BlockMemory::peer(std::uint32_t rank) {
  if (rank == rank_) return this;
  return rank < cluster_.size() ? cluster_[rank] : nullptr;
}

std::uint8_t* BlockMemory::ofCluster(std::uint32_t address, std::uint32_t bytes) {
  BlockMemory* const owner = peer(address >> kRankShift);
  return owner == nullptr ? nullptr : owner->shared(address, bytes);
}

void BlockMemory::join(std::span<BlockMemory* const> cluster, std::uint32_t rank) {
  cluster_ = cluster;
  rank_ = rank;
}

const TensorMap* BlockMemory::tensorMap(std::uint64_t address) const {
  const bool isParameter = address >> 32 == kParameterWindow;
  const auto found = std::ranges::find_if(launch_->tensorMaps, [&](const TensorMap& map) {
    return map.placed != 0 ? map.placed == address
                           : isParameter && map.at == (address & 0xffffffff);
  });
  return found == launch_->tensorMaps.end() ? nullptr : &*found;
}

void BlockMemory::clearShared() {
  std::ranges::fill(shared_, std::uint8_t{0});
}

}  // namespace tileloom::executor
