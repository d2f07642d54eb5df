// SPDX-License-Identifier: GPL-3.0-or-later
// The rules for every text of a gpu::Error.
#pragma once

#include <QString>
#include <cctype>
#include <string>

namespace tileloom::test {

// Why `text` is not one sentence that says what is wrong and, after a colon, what to do; empty if
// it is.
inline QString sentenceFlaw(const std::string& text) {
  const auto flaw = [&](const char* why) {
    return QString::fromStdString(std::string(why) + ": " + text);
  };
  if (text.empty()) return QStringLiteral("empty");
  if (text.find('\n') != std::string::npos) return flaw("more than one line");
  if (std::ispunct(static_cast<unsigned char>(text.back())) && text.back() != ')')
    return flaw("ends with a full stop or the like");
  const std::size_t colon = text.rfind(": ");
  if (colon == std::string::npos) return flaw("no advice after a colon");
  if (text.size() - colon < 10) return flaw("hardly any advice");
  if (text.find("  ") != std::string::npos) return flaw("two spaces");
  return {};
}

}  // namespace tileloom::test
