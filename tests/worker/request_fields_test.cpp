// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of a request is used or refused: each field of each method's parameters is changed,
// and the result must be another request, or a complaint that names the field.
#include <QtTest>
#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/tile/parameters.h"
#include "kernels/worker/protocol.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using nlohmann::json;

namespace {

struct Method {
  const char* name;
  json good;
  // As the worker reads it, written again.
  std::function<worker::Parsed<json>(const json&)> read;
};

template <class Request>
Method methodOf(const char* name, const Request& request,
                worker::Parsed<Request> (*from)(const json&)) {
  return {name, worker::toJson(request), [from](const json& params) {
            return from(params).map([](const Request& q) { return json(worker::toJson(q)); });
          }};
}

std::vector<Method> methods() {
  const Stage& s = stage("mmaring");
  const TileShape tile = s.standardTile();
  const Architecture arch = defaultArchitecture();
  const Subject subject{&s, tile, Format::Fp16};
  worker::MeasureRequest measure{{subject, {256, 384, 512}}, 1, {}, true};
  worker::SampleRequest sample{{subject, {256, 384, 512}}, 1, 5000};
  return {
      methodOf<worker::CompileRequest>("compile", {{subject, arch}}, worker::compileRequestFrom),
      methodOf<worker::AheadRequest>("ahead", {&s, {tile}, arch, Format::Fp16},
                                     worker::aheadRequestFrom),
      methodOf<worker::MeasureRequest>("measure", measure, worker::measureRequestFrom),
      methodOf<worker::SampleRequest>("sample", sample, worker::sampleRequestFrom),
      methodOf<worker::LoopRequest>("loop", {usualSubject(s, tile), 1, 5000},
                                    worker::loopRequestFrom),
      methodOf<worker::CeilingsRequest>("ceilings", {1, 5000}, worker::ceilingsRequestFrom),
  };
}

// Another value of this field, as legal as the one that is there.
json turned(const std::string& key, const json& value) {
  if (key == "stage") return "mma";  // whose tile parameters the ring also has
  if (key == "arch") return value == "sm_90" ? "sm_80" : "sm_90";
  if (key == "arithmetic") return value == "fp16" ? "bf16" : "fp16";
  if (key == "tile") {
    json other = value;
    other["GROUP"] = value["GROUP"] == 1 ? 2 : 1;
    return other;
  }
  if (key == "tiles") return json::array({turned("tile", value[0])});
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer()) return value.get<int>() + 1;
  if (value.is_number()) return value.get<double>() / 2;
  return {};
}

}  // namespace

class RequestFieldsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyFieldIsHeededOrRefused() {
    for (const Method& method : methods()) {
      const auto usual = method.read(method.good);
      QVERIFY2(usual && *usual == method.good, method.name);
      for (const auto& [key, value] : method.good.items()) {
        json params = method.good;
        params[key] = turned(key, value);
        QVERIFY2(!params[key].is_null(), key.c_str());
        const auto read = method.read(params);
        const std::string what = std::string(method.name) + ": " + key;
        if (read) {
          QVERIFY2(*read != *usual, (what + " is read and dropped").c_str());
        } else {
          QVERIFY2(q(read.error()).contains(q("\"" + key + "\"")),
                   (what + ": " + read.error()).c_str());
        }
      }
    }
  }

  // Fields that only `measure` uses are refused by similar methods.
  void fieldsOfMeasureAreRefused() {
    json measure;
    for (const Method& method : methods()) {
      if (method.name == std::string_view("measure")) measure = method.good;
    }
    int refused = 0;
    for (const Method& method : methods()) {
      if (method.name != std::string_view("sample") && method.name != std::string_view("loop"))
        continue;
      for (const auto& [key, value] : measure.items()) {
        if (method.good.contains(key)) continue;
        json params = method.good;
        params[key] = value;
        const auto read = method.read(params);
        QVERIFY2(!read, (std::string(method.name) + " drops " + key).c_str());
        QVERIFY2(q(read.error()).contains(q("\"" + key + "\"")), read.error().c_str());
        ++refused;
      }
    }
    QCOMPARE(refused, 5 + 9);
  }

  // Loops are timed in the usual arithmetic only, which may be named.
  void loopsHaveOneFormat() {
    const Stage& s = stage("mmaring");
    json params = worker::toJson(worker::LoopRequest{standardSubject(s)});
    params["arithmetic"] = "bf16";
    QVERIFY(worker::loopRequestFrom(params).has_value());
    params["arithmetic"] = "fp16";
    const auto refused = worker::loopRequestFrom(params);
    QVERIFY(!refused);
    QCOMPARE(q(refused.error()),
             QStringLiteral("\"arithmetic\" of loop's parameters is fp16, and loops are timed in "
                            "bf16: leave it out"));
  }

  void samplesHaveNoRounds() {
    const Stage& s = stage("mmaring");
    json params = worker::toJson(worker::MeasureRequest{{standardSubject(s), {64, 64, 64}}, 0, {}});
    const auto refused = worker::sampleRequestFrom(params);
    QVERIFY(!refused);
    QCOMPARE(
        q(refused.error()),
        QStringLiteral("\"min_rounds\" of sample's parameters is not used here: leave it out"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RequestFieldsTest, Nothing)
#include "request_fields_test.moc"
