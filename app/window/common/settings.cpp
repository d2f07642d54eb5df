// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/settings.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/text_file.h"
#include "kernels/base/user_folders.h"

namespace tileloom {
namespace {

using nlohmann::json;

std::optional<QStringList> listFrom(const json& value) {
  QStringList list;
  for (const json& item : value) {
    if (!item.is_string()) return std::nullopt;
    list += QString::fromStdString(item.get_ref<const std::string&>());
  }
  return list;
}

std::optional<SettingValue> valueFrom(const json& value) {
  if (value.is_string()) return QString::fromStdString(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) {
    const auto number = jsonNumber(value, -1e9, 1e9);
    return number ? std::optional<SettingValue>(static_cast<int>(*number)) : std::nullopt;
  }
  if (!value.is_array()) return std::nullopt;
  const auto list = listFrom(value);
  return list ? std::optional<SettingValue>(*list) : std::nullopt;
}

struct ToJson {
  json operator()(const QString& text) const { return text.toStdString(); }
  json operator()(const QStringList& texts) const {
    json list = json::array();
    for (const QString& text : texts) list.push_back(text.toStdString());
    return list;
  }
  json operator()(int number) const { return number; }
  json operator()(bool on) const { return on; }
};

}  // namespace

std::filesystem::path Settings::defaultFile() {
  return userConfigFile("settings.json");
}

Settings::Settings(std::filesystem::path file) : m_file(std::move(file)) {
  const auto text = readText(m_file, kMessageBounds.bytes);
  if (!text) return;
  const auto all = parseJsonObject(*text, kMessageBounds);
  if (!all) return;
  for (const auto& [name, value] : all->items()) {
    if (auto kept = valueFrom(value)) m_values.insert_or_assign(name, *kept);
  }
}

void Settings::save() const {
  if (m_file.empty()) return;  // a user without a home folder
  json all = json::object();
  for (const auto& [name, value] : m_values) all[name] = std::visit(ToJson(), value);
  const std::string text = dumped(all, 2) + "\n";
  std::error_code error;
  if (m_file.has_parent_path()) std::filesystem::create_directories(m_file.parent_path(), error);
  if (const auto written = replaceText(m_file, text); !written)
    std::fprintf(stderr, "tileloom: %s\n", written.error().c_str());
}

void Settings::set(const std::string& name, SettingValue value) {
  const auto [place, isNew] = m_values.try_emplace(name, value);
  if (!isNew && place->second == value) return;
  place->second = std::move(value);
  save();
}

void Settings::remove(const std::string& name) {
  if (m_values.erase(name) > 0) save();
}

}  // namespace tileloom
