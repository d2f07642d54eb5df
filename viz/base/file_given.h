// SPDX-License-Identifier: GPL-3.0-or-later
// File names as people give them to commands, where they go on as Qt's.
#pragma once

#include <QString>
#include <string>
#include <tl/expected.hpp>

namespace tileloom {

// The name, or the sentence without a full stop on why it cannot be used: Qt has no way to name a
// file whose name is no UTF-8, and would name another one.
tl::expected<QString, std::string> fileGiven(const std::string& name);

}  // namespace tileloom
