// SPDX-License-Identifier: GPL-3.0-or-later
// Compares what kernels/gpu/driver/driver_api.h and cublas.cpp declare with NVIDIA's headers.
#include <cublas_api.h>
#include <cuda.h>

#include <QtTest>
#include <cstddef>
#include <type_traits>

#include "tests/support/test_class.h"

#include "kernels/gpu/driver/driver_api.h"

namespace tileloom::gpu {
namespace {

#define SAME_NUMBER(ours, theirs) static_assert(cu::ours == static_cast<int>(theirs))
SAME_NUMBER(kSuccess, CUDA_SUCCESS);
SAME_NUMBER(kInvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME_NUMBER(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME_NUMBER(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME_NUMBER(kNoDevice, CUDA_ERROR_NO_DEVICE);
SAME_NUMBER(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_NUMBER(kEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME_NUMBER(kNotReady, CUDA_ERROR_NOT_READY);
SAME_NUMBER(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_NUMBER(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME_NUMBER(kLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME_NUMBER(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_NUMBER(kAssert, CUDA_ERROR_ASSERT);
SAME_NUMBER(kHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME_NUMBER(kIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME_NUMBER(kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME_NUMBER(kInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME_NUMBER(kInvalidPc, CUDA_ERROR_INVALID_PC);
SAME_NUMBER(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);

SAME_NUMBER(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_NUMBER(kClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME_NUMBER(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_NUMBER(kMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME_NUMBER(kGlobalMemoryBusWidth, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME_NUMBER(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME_NUMBER(kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME_NUMBER(kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_NUMBER(kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_NUMBER(kMaxSharedPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME_NUMBER(kMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME_NUMBER(kMaxSharedPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_NUMBER(kMaxBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);

SAME_NUMBER(kFuncSharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_NUMBER(kFuncLocalSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_NUMBER(kFuncNumRegs, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_NUMBER(kFuncMaxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_NUMBER(kFuncPreferredSharedCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);

SAME_NUMBER(kTensorMapFloat16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
SAME_NUMBER(kTensorMapBfloat16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
SAME_NUMBER(kTensorMapNotInterleaved, CU_TENSOR_MAP_INTERLEAVE_NONE);
SAME_NUMBER(kTensorMapSwizzleNone, CU_TENSOR_MAP_SWIZZLE_NONE);
SAME_NUMBER(kTensorMapSwizzle32, CU_TENSOR_MAP_SWIZZLE_32B);
SAME_NUMBER(kTensorMapSwizzle64, CU_TENSOR_MAP_SWIZZLE_64B);
SAME_NUMBER(kTensorMapSwizzle128, CU_TENSOR_MAP_SWIZZLE_128B);
SAME_NUMBER(kTensorMapPromote256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
SAME_NUMBER(kTensorMapZeros, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
static_assert(sizeof(cu::TensorMap) == sizeof(CUtensorMap) && sizeof(cu::TensorMap) == 128);
static_assert(alignof(cu::TensorMap) == 64);

static_assert(std::is_same_v<cu::DevicePtr, CUdeviceptr>);
static_assert(std::is_same_v<cu::Device, CUdevice>);
static_assert(sizeof(cu::Result) == sizeof(CUresult));

static_assert(sizeof(cu::Memcpy2D) == sizeof(CUDA_MEMCPY2D));
#define SAME_FIELD(field)                                                          \
  static_assert(offsetof(cu::Memcpy2D, field) == offsetof(CUDA_MEMCPY2D, field) && \
                sizeof(cu::Memcpy2D::field) == sizeof(CUDA_MEMCPY2D::field))
SAME_FIELD(srcXInBytes);
SAME_FIELD(srcY);
SAME_FIELD(srcMemoryType);
SAME_FIELD(srcHost);
SAME_FIELD(srcDevice);
SAME_FIELD(srcArray);
SAME_FIELD(srcPitch);
SAME_FIELD(dstXInBytes);
SAME_FIELD(dstY);
SAME_FIELD(dstMemoryType);
SAME_FIELD(dstHost);
SAME_FIELD(dstDevice);
SAME_FIELD(dstArray);
SAME_FIELD(dstPitch);
SAME_FIELD(WidthInBytes);
SAME_FIELD(Height);

// The same number of parameters, each of the same size and kind (a pointer for a pointer).
template <class Ours, class Theirs>
struct SameShape : std::false_type {};
template <class R, class... As, class S, class... Bs>
requires(sizeof...(As) == sizeof...(Bs)) struct SameShape<R (*)(As...), S(Bs...)>
    : std::bool_constant<sizeof(R) == sizeof(S) &&
                         ((sizeof(As) == sizeof(Bs) &&
                           std::is_pointer_v<As> == std::is_pointer_v<Bs>)&&...)> {
};

#define SPELL2(name) #name
#define SPELL(name) SPELL2(name)
constexpr bool equal(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}
// `name` in NVIDIA's header is `exported` in the library, and has the declared signature.
#define SAME_FUNCTION(name, exported)           \
  static_assert(equal(SPELL(name), #exported)); \
  static_assert(SameShape<decltype(cu::Table::exported), decltype(name)>::value)
SAME_FUNCTION(cuInit, cuInit);
SAME_FUNCTION(cuDriverGetVersion, cuDriverGetVersion);
SAME_FUNCTION(cuGetErrorName, cuGetErrorName);
SAME_FUNCTION(cuGetErrorString, cuGetErrorString);
SAME_FUNCTION(cuDeviceGetCount, cuDeviceGetCount);
SAME_FUNCTION(cuDeviceGet, cuDeviceGet);
SAME_FUNCTION(cuDeviceGetName, cuDeviceGetName);
SAME_FUNCTION(cuDeviceTotalMem, cuDeviceTotalMem_v2);
SAME_FUNCTION(cuDeviceGetAttribute, cuDeviceGetAttribute);
SAME_FUNCTION(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId);
SAME_FUNCTION(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain);
SAME_FUNCTION(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
SAME_FUNCTION(cuCtxSetCurrent, cuCtxSetCurrent);
SAME_FUNCTION(cuMemGetInfo, cuMemGetInfo_v2);
SAME_FUNCTION(cuMemAlloc, cuMemAlloc_v2);
SAME_FUNCTION(cuMemFree, cuMemFree_v2);
SAME_FUNCTION(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2);
SAME_FUNCTION(cuMemcpyDtoH, cuMemcpyDtoH_v2);
SAME_FUNCTION(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2);
SAME_FUNCTION(cuMemcpy2DAsync, cuMemcpy2DAsync_v2);
SAME_FUNCTION(cuMemsetD32Async, cuMemsetD32Async);
SAME_FUNCTION(cuModuleLoadData, cuModuleLoadData);
SAME_FUNCTION(cuModuleUnload, cuModuleUnload);
SAME_FUNCTION(cuModuleGetFunction, cuModuleGetFunction);
SAME_FUNCTION(cuModuleGetGlobal, cuModuleGetGlobal_v2);
SAME_FUNCTION(cuFuncGetAttribute, cuFuncGetAttribute);
SAME_FUNCTION(cuFuncSetAttribute, cuFuncSetAttribute);
SAME_FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessor,
              cuOccupancyMaxActiveBlocksPerMultiprocessor);
SAME_FUNCTION(cuLaunchKernel, cuLaunchKernel);
SAME_FUNCTION(cuStreamCreate, cuStreamCreate);
SAME_FUNCTION(cuStreamDestroy, cuStreamDestroy_v2);
SAME_FUNCTION(cuStreamQuery, cuStreamQuery);
SAME_FUNCTION(cuEventCreate, cuEventCreate);
SAME_FUNCTION(cuEventDestroy, cuEventDestroy_v2);
SAME_FUNCTION(cuEventRecord, cuEventRecord);
SAME_FUNCTION(cuTensorMapEncodeTiled, cuTensorMapEncodeTiled);
// Both have one signature and may have other names in newer headers: the older one stays exported.
static_assert(
    SameShape<decltype(cu::Table::cuEventElapsedTime), decltype(cuEventElapsedTime)>::value);
static_assert(SameShape<decltype(cu::Table::cuCtxSynchronize), decltype(cuCtxSynchronize)>::value);

// The numbers that cublas.cpp and context.cpp use.
static_assert(CUBLAS_PEDANTIC_MATH == 2 && CUBLAS_OP_N == 0 && CUBLAS_STATUS_SUCCESS == 0);
static_assert(CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION == 16 && CUBLAS_COMPUTE_32F == 68 &&
              CUBLAS_GEMM_DEFAULT == -1 && CUDA_R_16BF == 14 && CUDA_R_16F == 2);
static_assert(CUBLAS_STATUS_ALLOC_FAILED == 3 && CUBLAS_STATUS_ARCH_MISMATCH == 8 &&
              CUBLAS_STATUS_EXECUTION_FAILED == 13);
static_assert(MAJOR_VERSION == 0 && MINOR_VERSION == 1 && PATCH_LEVEL == 2);
static_assert(CU_STREAM_NON_BLOCKING == 1 && CU_EVENT_DEFAULT == 0);
static_assert(CU_MEMORYTYPE_DEVICE == 2);

}  // namespace

class AbiTest : public QObject {
  Q_OBJECT
 private slots:
  // The compiler does the comparison above: it passes if this compiles.
  void declarationsAreNvidias() {
    QVERIFY(CUDA_VERSION >= 12000);
    qInfo("compared with cuda.h %d and cublas_api.h %d", CUDA_VERSION, CUBLAS_VERSION);
    cu::Memcpy2D copy;
    CUDA_MEMCPY2D theirs{};
    theirs.srcMemoryType = theirs.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    QCOMPARE(copy.srcMemoryType, static_cast<int>(theirs.srcMemoryType));
    QCOMPARE(copy.dstMemoryType, static_cast<int>(theirs.dstMemoryType));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::AbiTest, Nothing)
#include "abi_test.moc"
