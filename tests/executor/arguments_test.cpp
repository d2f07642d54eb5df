// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a launch as text: numbers, buffers, and what is wrong with others.
#include <QtTest>
#include <bit>
#include <cstring>

#include "kernels/executor/arguments.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class ArgumentsTest : public QObject {
  Q_OBJECT

  static sass::KernelInfo kernelWith(std::initializer_list<int> sizes) {
    sass::KernelInfo info;
    int at = 0;
    for (const int bytes : sizes) {
      at = (at + bytes - 1) / bytes * bytes;
      sass::KernelParameter parameter;
      parameter.at = at;
      parameter.bytes = bytes;
      info.parameters.push_back(parameter);
      at += bytes;
    }
    info.parameterBytes = at;
    return info;
  }
  template <class Value>
  static Value valueAt(const Arguments& arguments, std::size_t at) {
    Value value;
    std::memcpy(&value, arguments.bytes.data() + at, sizeof value);
    return value;
  }
  static QString errorOf(std::initializer_list<int> sizes, std::vector<std::string> texts) {
    const auto made = argumentsFrom(kernelWith(sizes), texts);
    return made ? QString("it is accepted") : q(made.error());
  }

 private slots:
  void numbers() {
    const std::vector<std::string> texts = {"128", "1.5", "-1", "0x20", "2.5", "1e-3f"};
    const auto made = argumentsFrom(kernelWith({4, 4, 4, 8, 8, 4}), texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(valueAt<std::uint32_t>(*made, 0), 128u);
    QCOMPARE(valueAt<float>(*made, 4), 1.5f);
    QCOMPARE(valueAt<std::int32_t>(*made, 8), -1);
    QCOMPARE(valueAt<std::uint64_t>(*made, 16), std::uint64_t{32});
    QCOMPARE(valueAt<double>(*made, 24), 2.5);
    QCOMPARE(valueAt<float>(*made, 32), 1e-3f);
  }

  void buffers() {
    const std::vector<std::string> texts = {"A:f32:3x5", "B:i16:7:index", "C:f16:2:one",
                                            "D:bf16:4:zero"};
    const auto made = argumentsFrom(kernelWith({8, 8, 8, 8}), texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(made->buffers.size(), std::size_t{4});
    QCOMPARE(made->buffers[0].bytes.size(), std::size_t{60});
    QCOMPARE(q(made->shapes[0]), QString("f32 3 x 5"));
    for (std::size_t i = 0; i < 4; ++i)
      QCOMPARE(valueAt<std::uint64_t>(*made, 8 * i), made->buffers[i].address);
    std::uint16_t sixth = 0;
    std::memcpy(&sixth, made->buffers[1].bytes.data() + 12, 2);
    QCOMPARE(sixth, std::uint16_t{6});
    std::uint16_t one = 0;
    std::memcpy(&one, made->buffers[2].bytes.data(), 2);
    QCOMPARE(one, std::uint16_t{0x3c00});
    QCOMPARE(made->buffers[3].bytes, std::vector<std::uint8_t>(8));
    // Random numbers differ, and are the same each time.
    QVERIFY(made->buffers[0].bytes != std::vector<std::uint8_t>(60));
    QCOMPARE(argumentsFrom(kernelWith({8, 8, 8, 8}), texts)->buffers, made->buffers);
  }

  void whatIsWrong() {
    QVERIFY(errorOf({4, 8}, {"1"}).contains("2 parameters (of 4, 8 bytes), but 1 argument was"));
    QVERIFY(errorOf({}, {"1", "2"}).contains("no parameters, but 2 arguments were given"));
    QVERIFY(errorOf({4}, {"many"}).contains("argument 1, \"many\": it is not a number of 4 bytes"));
    QVERIFY(errorOf({4}, {"4294967296"}).contains("not a number of 4 bytes"));
    QVERIFY(errorOf({1}, {"-129"}).contains("not a number of 1 bytes"));
    QVERIFY(errorOf({4}, {"A:f32:8"}).contains("needs a pointer of 8 bytes"));
    QVERIFY(
        errorOf({8}, {"A:f33:8"}).contains("\"f33\" is not a type of elements: choose f64, f32"));
    QVERIFY(errorOf({8}, {"A:f32:8x"}).contains("\"\" is not a number of elements"));
    QVERIFY(errorOf({8}, {"A:f32:0"}).contains("\"0\" is not a number of elements"));
    QVERIFY(errorOf({8}, {"A:f32"}).contains("a buffer is NAME:TYPE:ROWSxCOLUMNS"));
    QVERIFY(errorOf({8}, {"A:f32:8:full"}).contains("choose random, zero, one or index"));
    QVERIFY(errorOf({8}, {"A:f32:65536x65536"}).contains("more than 1 GiB together"));
    QVERIFY(errorOf({8}, {"A:f32:999999x999999x999999"}).contains("more than 1 GiB together"));
    QVERIFY(errorOf({8, 8}, {"A:f32:8", "A:f32:8"}).contains("there is a buffer \"A\" already"));
    QVERIFY(errorOf({16}, {"1"}).contains("structures cannot be given"));
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::ArgumentsTest, Nothing)
#include "arguments_test.moc"
