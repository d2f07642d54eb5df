// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/fixed_keys.h"

namespace tileloom {

std::vector<FixedKey> fixedKeys() {
  std::vector<FixedKey> all = presentingKeys();
  for (FixedKey& key : stepListKeys()) all.push_back(std::move(key));
  return all;
}

}  // namespace tileloom
