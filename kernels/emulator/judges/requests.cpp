// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/requests.h"

namespace tileloom::emulator::judges {
namespace {

constexpr std::uint32_t kEveryLane = 0xFFFF'FFFF;

}  // namespace

void Requests::see(const event::BarriersDeclared& e) {
  for (std::uint32_t i = 0; i < e.count; ++i) barriers.push_back({e.name, i});
}

void Requests::see(const event::RoleNamed& e) {
  if (roles.empty()) roles.resize(products.size());
  if (roles[e.warp].empty()) roles[e.warp] = e.name;  // the first name stays
}

void Requests::see(const event::Product& e) {
  OpenProducts& its = open[e.at.warp()];
  // Those that were complete before are over now. Lanes come in the order of their numbers, so that
  // the oldest one is complete first.
  while (!its.list.empty() && its.list.front().lanes == kEveryLane) {
    its.list.erase(its.list.begin());
    ++its.first;
  }
  const std::uint32_t place = e.which - its.first;
  if (place >= its.list.size()) its.list.resize(place + 1, {e, 0});
  its.list[place].lanes |= 1u << e.at.lane();
}

}  // namespace tileloom::emulator::judges
