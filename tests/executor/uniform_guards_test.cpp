// SPDX-License-Identifier: GPL-3.0-or-later
// A uniform instruction whose guard does not hold is not executed.
#include <QtTest>

#include "kernels/sass/decode.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

// The compiler counts in a uniform register.
constexpr const char* kText = R"(
extern "C" __global__ void counts(int* out, int n) {
  int a = 1;
  #pragma unroll 1
  for (int i = 0; i < n; ++i) a = a * 3 + i;
  out[threadIdx.x] = a + threadIdx.x;
}
)";

}  // namespace

class UniformGuardsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  // Its counter is made one that never counts: the loop must not end.
  void neverCounts() {
    Launched kernels(*nvrtc_, kText, "90");
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(32))};
    QCOMPARE(kernels.run("counts", 32, buffers, {3}), QString());
    QCOMPARE(Launched::values<int>(buffers[0])[1], 33);
    sass::Module& module = kernels.module();
    int changed = 0;
    for (sass::CodeWord& word : module.kernels.front().words) {
      auto decoded = sass::decode(word, 0, module.capability);
      if (!decoded || decoded->base() != "UIADD3" || !decoded->form->uniformGuard) continue;
      decoded->guard = {sass::kTruePredicate, true};
      word = *sass::encode(*decoded);
      ++changed;
    }
    if (changed == 0) QSKIP("this compiler does not count in a uniform register");
    QVERIFY(kernels.run("counts", 32, buffers, {3}, {10000}).contains("does not end"));
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::UniformGuardsTest, Nothing)
#include "uniform_guards_test.moc"
