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

  // Structures: their bytes, with pointers between them.
  void structures() {
    const std::vector<std::string> texts = {"hex:0a000000+hex:01ff0203+A:f32:4x2+hex:07000000",
                                            "3"};
    sass::KernelInfo info;
    info.parameters = {{0, 20}, {20, 4}};
    info.parameterBytes = 24;
    const auto made = argumentsFrom(info, texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(valueAt<std::uint32_t>(*made, 0), 10u);
    QCOMPARE(valueAt<std::uint32_t>(*made, 4), 0x0302ff01u);
    QCOMPARE(valueAt<std::uint64_t>(*made, 8), made->buffers[0].address);
    QCOMPARE(valueAt<std::uint32_t>(*made, 16), 7u);
    QCOMPARE(valueAt<std::uint32_t>(*made, 20), 3u);
    QCOMPARE(made->pointers.size(), std::size_t{1});
    QCOMPARE(made->pointers[0].at, std::size_t{8});
  }

  // A kernel may get one buffer twice. Another seed makes other numbers in it.
  void aBufferAgain() {
    const std::vector<std::string> texts = {"A:f16:8", "B:f64:2", "A"};
    const auto made = argumentsFrom(kernelWith({8, 8, 8}), texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(made->buffers.size(), std::size_t{2});
    QCOMPARE(valueAt<std::uint64_t>(*made, 16), made->buffers[0].address);
    QCOMPARE(made->pointers.size(), std::size_t{3});
    QCOMPARE(made->elements[0].bytes, 2u);
    QCOMPARE(made->elements[1].bytes, 8u);
    const auto other = argumentsFrom(kernelWith({8, 8, 8}), texts, 1);
    QVERIFY(other.has_value() && other->buffers[0].bytes != made->buffers[0].bytes);
  }

  // A tensor map names its box; sides and strides are those of the buffer, the innermost one first.
  void tensorMaps() {
    sass::KernelInfo info;
    info.parameters = {{0, 4}, {64, 128}, {192, 128}, {320, 136}};
    info.parameterBytes = 456;
    const std::vector<std::string> texts = {"7", "A:bf16:96x256@64x32:64", "A@96x8",
                                            "hex:0000000000000000+B:f32:3x5x8:zero@1x5x4"};
    const auto made = argumentsFrom(info, texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    const auto maps = made->tensorMaps();
    QCOMPARE(maps.size(), std::size_t{3});
    TensorMap wanted;
    wanted.at = 64;
    wanted.address = made->buffers[0].address;
    wanted.extents = {256, 96};
    wanted.strides = {0, 512};
    wanted.box = {32, 64};
    wanted.swizzle = 64;
    QVERIFY(maps[0] == wanted);
    wanted.at = 192;
    wanted.box = {8, 96};
    wanted.swizzle = 0;
    QVERIFY(maps[1] == wanted);
    QCOMPARE(maps[2].at, 328u);
    QCOMPARE(maps[2].address, made->buffers[1].address);
    QCOMPARE(maps[2].dimensions, 3u);
    QCOMPARE(maps[2].elementBytes, 4u);
    QCOMPARE(maps[2].strides[2], std::uint64_t{160});
    QCOMPARE(maps[2].box[0], 4u);
    QCOMPARE(maps[2].box[2], 1u);
  }
  // Sides and strides of a tensor that the buffer does not have, and a map in global memory.
  void otherTensorMaps() {
    const std::vector<std::string> texts = {"*A:bf16:128x256@1x64x64:128:4x128x64:64x256", "A"};
    const auto made = argumentsFrom(kernelWith({8, 8}), texts);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(made->buffers.size(), std::size_t{2});
    QVERIFY(!made->holdsMap(0) && made->holdsMap(1));
    QCOMPARE(made->buffers[1].bytes.size(), std::size_t{128});
    QCOMPARE(valueAt<std::uint64_t>(*made, 0), made->buffers[1].address);
    QCOMPARE(valueAt<std::uint64_t>(*made, 8), made->buffers[0].address);
    const auto maps = made->tensorMaps();
    TensorMap wanted;
    wanted.placed = made->buffers[1].address;
    wanted.address = made->buffers[0].address;
    wanted.dimensions = 3;
    wanted.extents = {64, 128, 4};
    wanted.strides = {0, 512, 128};
    wanted.box = {64, 64, 1};
    wanted.swizzle = 128;
    QVERIFY(maps.size() == 1 && maps[0] == wanted);
  }
  void wrongTensorMaps() {
    QVERIFY(errorOf({128}, {"A:f32:64x64"}).contains("but the parameter has 128"));
    QVERIFY(errorOf({128}, {"7"}).contains("give a tensor map, as A:bf16:128x64@64x64:128"));
    QVERIFY(errorOf({8}, {"A:f32:8x8@8x8"}).contains("has 128 bytes, but the parameter has 8"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64"}).contains("has 2 sides and the box 1"));
    QVERIFY(
        errorOf({128}, {"A:f32:64x64@64xy"}).contains("\"64xy\" is not the box of a tensor map"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64x8:wide"})
                .contains("\"wide\" is not the swizzle of a tensor map"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64x8:48"}).contains("a swizzle has 32, 64 or 128 bytes"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64x64:128"}).contains("more than its swizzle of 128"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@512x8"}).contains("1 to 256 elements, but not 512"));
    QVERIFY(errorOf({128}, {"A:f32:64x9@64x8"}).contains("is a multiple of 16 bytes"));
    QVERIFY(errorOf({128}, {"A@64x8"}).contains("a buffer is NAME:TYPE:ROWSxCOLUMNS"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64x8:32:9"}).contains("has 1 sides and the box 2"));
    QVERIFY(errorOf({128}, {"A:f32:64x64@64x8:32:9x9:1x1"}).contains("is not the strides"));
    QVERIFY(errorOf({128}, {"A:f32:8x8@8x8:0:8x8:8:1"}).contains("a tensor map is BUFFER@"));
    QVERIFY(errorOf({128}, {"*A:f32:8x8@8x8"}).contains("needs a pointer of 8 bytes"));
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
    QVERIFY(errorOf({8}, {"A:f32:8:full"}).contains("choose random, small, zero, one or index"));
    QVERIFY(errorOf({8}, {"A:f32:65536x65536"}).contains("more than 1 GiB together"));
    QVERIFY(errorOf({8}, {"A:f32:999999x999999x999999"}).contains("more than 1 GiB together"));
    QVERIFY(errorOf({8, 8}, {"A:f32:8", "A:f32:8"}).contains("there is a buffer \"A\" already"));
    QVERIFY(errorOf({16}, {"1"}).contains("give the bytes of a structure as hex:0a00ff00"));
    QVERIFY(errorOf({16}, {"hex:0a0"}).contains("hex: needs pairs of hexadecimal digits"));
    QVERIFY(errorOf({16}, {"hex:zz"}).contains("hex: needs pairs of hexadecimal digits"));
    QVERIFY(errorOf({16}, {"hex:"}).contains("hex: needs pairs of hexadecimal digits"));
    QVERIFY(errorOf({16}, {"hex:0a00"}).contains("have 2 bytes, but the parameter has 16"));
    QVERIFY(errorOf({16}, {"hex:00+A:f32:4+B:f32:4"}).contains("have 17 bytes"));
    QVERIFY(errorOf({16}, {"hex:0000+A:f3:4"}).contains("\"f3\" is not a type of elements"));
    QVERIFY(errorOf({8, 4}, {"A:f32:8", "A"}).contains("it is not a number of 4 bytes"));
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::ArgumentsTest, Nothing)
#include "arguments_test.moc"
