// SPDX-License-Identifier: GPL-3.0-or-later
// A session that can be read is written as one that reads back as the same, and its command line
// can be shown.
#include "app/session/session.h"

#include <nlohmann/json.hpp>

#include "app/session/session_text.h"
#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto session = parseSession(bytes);
  if (!session) return requireSentence(session.error());
  const std::string text = sessionText(*session);
  requirePlainTexts(nlohmann::json::parse(text));
  const auto again = parseSession(text);
  require(again && *again == *session, "a session reads back as the same");
  require(sessionText(*again) == text, "a session is written in the same way again");
  requirePlain(commandLineOf(*session, {0, 0}));
}
