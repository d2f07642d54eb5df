// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for a wgmma waits for the parts of all four warps of the warpgroup: what a warp
// overwrites afterwards, another one has read before.
#include <QtTest>

#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {

constexpr const char* kGroupText = R"(
// `parts`: warps that issue the wgmma. The others wait for `threads` threads.
extern "C" __global__ void waits(float* out, unsigned parts, unsigned threads) {
  __shared__ __align__(128) unsigned a[512], b[64];
  const unsigned ones = 0x3f803f80, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < 512; i += 128) a[i] = ones;
  if (threadIdx.x < 64) b[threadIdx.x] = ones;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[4] = {};
  if (warp < parts) {
    const unsigned long long shape = 8ull << 16 | 16ull << 32;
    unsigned long long da = (unsigned long long)__cvta_generic_to_shared(a) >> 4 | shape;
    unsigned long long db = (unsigned long long)__cvta_generic_to_shared(b) >> 4 | shape;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  }
  if (warp == 0)
    for (unsigned i = threadIdx.x; i < 512; i += 32) a[i] = 0;
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
)";

class GroupWaitsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void forAllWarps() {
    const Launched compiled(*nvrtc_, kGroupText, "90a");
    std::vector<Buffer> memory = {Launched::buffer(std::vector<float>(512))};
    QCOMPARE(compiled.run("waits", 128, memory, {4, 32}), QString());
    QCOMPARE(Launched::values<float>(memory[0]), std::vector<float>(512, 16.0f));
  }
  // A warp that has ended is not waited for. One that waits elsewhere is.
  void withoutOne() {
    const Launched compiled(*nvrtc_, kGroupText, "90a");
    std::vector<Buffer> memory = {Launched::buffer(std::vector<float>(512))};
    QCOMPARE(compiled.run("waits", 128, memory, {3, 32}), QString());
    const QString why = compiled.run("waits", 128, memory, {3, 64});
    QVERIFY2(why.contains("warp 0 waits for its wgmma for ever: another warp of its warpgroup does "
                          "not issue its part; warps 1 to 2 wait for a wgmma, and warp 3 waits at "
                          "barrier 1"),
             qPrintable(why));
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::GroupWaitsTest, Nothing)
#include "group_waits_test.moc"
