// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/last_session.h"

#include "app/session/session_text.h"

namespace tileloom {
namespace {

constexpr const char* kLastKey = "sessions/last";

}  // namespace

void keepSession(const Session& session, Settings& settings) {
  settings.set(kLastKey, QString::fromStdString(sessionText(session)));
}

std::optional<Session> keptSession(const Settings& settings) {
  const auto text = settings.text(kLastKey);
  if (!text) return std::nullopt;
  auto session = parseSession(text->toStdString());
  if (!session) return std::nullopt;
  return std::move(*session);
}

}  // namespace tileloom
