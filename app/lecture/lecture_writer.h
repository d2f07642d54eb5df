// SPDX-License-Identifier: GPL-3.0-or-later
// Lectures that are made in the window: what is shown becomes a step of a file.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>

#include "app/session/session.h"

namespace tileloom::lecture {

struct NewStep {
  Session session;
  std::string headline, text;
};

// Adds a step behind the last one of a lecture's file, which is made if it is not there. The file
// keeps everything else that it has. The error is one sentence without a full stop, and the file is
// as it was.
tl::expected<void, std::string> addStep(const std::filesystem::path& file, const NewStep& step);

}  // namespace tileloom::lecture
