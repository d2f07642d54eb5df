// SPDX-License-Identifier: GPL-3.0-or-later
// Converts file names from the command line to Qt's.
#pragma once

#include <QString>
#include <string>
#include <tl/expected.hpp>

namespace tileloom {

// The name, or a sentence without a full stop on why it cannot be used: Qt cannot represent a file
// name that is not UTF-8, and would open another file.
tl::expected<QString, std::string> fileGiven(const std::string& name);

}  // namespace tileloom
