// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that the window keeps between runs: one flat JSON object of texts, lists of texts,
// numbers and switches in settings.json of the user's configuration folder.
//
//   Settings settings;                       // as the file is now: make one where it is needed
//   settings.text("sight/theme");
//   settings.set("sight/theme", "light");    // writes it
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace tileloom {

using SettingValue = std::variant<QString, QStringList, int, bool>;

class Settings {
 public:
  // A file that cannot be read, or holds something else, counts as empty.
  explicit Settings(std::filesystem::path file = defaultFile());
  static std::filesystem::path defaultFile();

  // std::nullopt: nothing of this type is kept under this name.
  std::optional<QString> text(const std::string& name) const { return get<QString>(name); }
  std::optional<QStringList> texts(const std::string& name) const { return get<QStringList>(name); }
  std::optional<int> number(const std::string& name) const { return get<int>(name); }
  std::optional<bool> flag(const std::string& name) const { return get<bool>(name); }

  // Written at once, unless unchanged. A failed write is only reported on standard error: no action
  // of the user depends on it.
  void set(const std::string& name, SettingValue value);
  void remove(const std::string& name);

 private:
  template <class T>
  std::optional<T> get(const std::string& name) const {
    const auto found = m_values.find(name);
    if (found == m_values.end() || !std::holds_alternative<T>(found->second)) return std::nullopt;
    return std::get<T>(found->second);
  }
  void save() const;

  std::filesystem::path m_file;
  std::map<std::string, SettingValue> m_values;
};

}  // namespace tileloom
