// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/limit_json.h"

#include <nlohmann/json.hpp>

namespace tileloom::app {

Json limitJson(const std::optional<model::Limit>& limit) {
  if (!limit) return nullptr;
  return {{"name", std::string(key(limit->kind))},
          {"share", limit->share},
          {"of", limit->predicted ? "predicted time" : "least time"},
          {"ms", 1e3 * limit->seconds},
          {"sms", limit->places.sms},
          {"sms_with_work", limit->places.smsWithWork},
          {"useful_share", limit->places.useful},
          {"sentence", sentence(*limit)}};
}

}  // namespace tileloom::app
