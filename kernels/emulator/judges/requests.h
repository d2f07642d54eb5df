// SPDX-License-Identifier: GPL-3.0-or-later
// An observer: what a block has requested of the async proxy and its tensor cores, in order. It is
// a part of the recording, and judges find in it what their sentences name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/events.h"

namespace tileloom::emulator::judges {

class Requests {
 public:
  // A wgmma that some lanes of a warp have issued, and others not yet.
  struct Open {
    event::Product product;  // of the lane that came first
    std::uint32_t lanes = 0;
  };
  struct OpenProducts {
    std::vector<Open> list;   // by number of the product, less `first`
    std::uint32_t first = 0;  // earlier products are complete
  };

  std::vector<BarrierRecord> barriers;
  std::vector<std::string> roles;  // by warp; empty before the first name
  std::vector<RemoteArrival> remoteArrivals;
  std::vector<BoxRecord> boxes;
  std::vector<BoxStoreRecord> boxStores;
  std::vector<std::vector<ProductRecord>> products;  // by warp
  std::vector<OpenProducts> open;                    // by warp

  // `warps`: 0 for a block that requests nothing.
  explicit Requests(std::uint32_t warps) : products(warps), open(warps) {}

  void see(const event::BarriersDeclared& e);
  void see(const event::RoleNamed& e);
  void see(const event::Product& e);
  void see(const event::ProductExecuted& e) { products[e.at.warp()].push_back(e.product); }
  void see(const event::BoxArrived& e) { boxes.push_back(*e.box); }
  void see(const event::RemoteArrived& e) { remoteArrivals.push_back(e.arrival); }
  void see(const event::BoxStored& e) { boxStores.push_back(e.store); }
};

}  // namespace tileloom::emulator::judges
