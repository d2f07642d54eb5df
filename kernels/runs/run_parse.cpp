// SPDX-License-Identifier: GPL-3.0-or-later
// Parses a text of many runs, in which any line may be broken.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kernels/runs/run_store.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostComplaints = 100;

// A line that cannot be read may have been a common line. Then the runs after it must not be filled
// in from the one before it: they would silently become runs of another device or stage.
bool mayBeCommonLine(std::string_view line) {
  return line.find("tileloom.runs/") != line.npos || line.find("\"common\"") != line.npos;
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  RunFile read() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
      ++number_;
      if (!isBlank(line)) readLine(line);
    }
    if (file_.broken > kMostComplaints) {
      file_.complaints.push_back(
          fmt::format("{}: {} more broken lines", name_, file_.broken - kMostComplaints));
    }
    return std::move(file_);
  }

 private:
  void complain(std::string_view sentence) {
    if (++file_.broken > kMostComplaints) return;
    file_.complaints.push_back(fmt::format("{}, line {}: {}", name_, number_, sentence));
  }

  void readLine(std::string_view line) {
    const auto json = parseJsonObject(line, kRecordBounds);
    if (!json) {
      if (line.size() > kLongestLine || mayBeCommonLine(line)) common_ = Json::object();
      const bool cut = rest_.empty() && json.error() == kNoJsonObject;
      return complain(json.error() + (cut ? ": the line may have been cut off" : ""));
    }
    if (json->contains("common")) return readCommon(*json);
    auto run = fromJson(*json, &common_);
    if (!run) {
      if (mayBeCommonLine(line)) common_ = Json::object();
      return complain(run.error());
    }
    file_.runs.push_back(std::move(*run));
  }

  void readCommon(const Json& json) {
    common_ = Json::object();
    const auto schema = json.find("schema");
    if (schema == json.end() || *schema != kRunsSchema) {
      return complain(fmt::format(
          "this \"common\" line is not of schema {}: update Tileloom if it is a newer one",
          kRunsSchema));
    }
    if (!json["common"].is_object()) return complain("\"common\" is not an object");
    common_ = json["common"];
  }

  std::string_view rest_;
  std::string_view name_;
  std::size_t number_ = 0;
  Json common_ = Json::object();
  RunFile file_;
};

}  // namespace

RunFile parseRuns(std::string_view text, std::string_view nameOfText) {
  return Reader(text, nameOfText).read();
}

}  // namespace tileloom::runs
