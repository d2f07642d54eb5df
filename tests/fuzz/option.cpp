// SPDX-License-Identifier: GPL-3.0-or-later
// A value that `tileloom render` accepts for an option can be printed and accepted again, and fits
// into a session. The first byte chooses the option.
#include <fmt/format.h>

#include "app/session/options.h"
#include "app/session/session.h"
#include "app/session/session_text.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

Session opened() {
  Session session;
  session.state.stage = &openingStage();
  session.state.tile = session.state.stage->standardTile();
  return session;
}

// A shell removes the quotes around a text.
std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"') return text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

void attack(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto all = options();
  const Option& option = all[static_cast<unsigned char>(bytes[0]) % all.size()];
  if (!option.take) return;
  Session session = opened();
  const std::string wrong = option.take(std::string(bytes.substr(1)), session);
  if (!wrong.empty()) return requireSentence(wrong);

  const auto read = parseSession(sessionText(session));
  require(read && *read == session, fmt::format("a session keeps the option {}", option.name));

  // A command line has the chosen value.
  if (!option.line.always && option.equal(session, Session())) return;
  const auto printed = option.print(session);
  if (!printed) return;
  requirePlain(*printed);
  // Only texts that a shell does not change.
  if (option.kind == Option::Kind::Text && *printed != fmt::format("\"{}\"", bytes.substr(1)))
    return;
  Session again = opened();
  require(option.take(unquoted(*printed), again).empty() && option.equal(again, session),
          fmt::format("the option {} is taken as it is printed", option.name));
}

}  // namespace tileloom::fuzz
