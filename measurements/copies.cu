// Asynchronous copies of one warp, by rows: lane l copies `bytes` bytes of row l / rowLanes.
#define KERNEL(name, how, bytes)                                                                    \
  extern "C" __global__ void name(const char* in, int* out, int rowLanes, int laneStride,           \
                                  int srcStride, int srcOff, int dstLane, int dstStride,            \
                                  int dstOff) {                                                     \
    extern __shared__ __align__(1024) char s[];                                                     \
    const int lane = threadIdx.x, r = lane / rowLanes, c = lane % rowLanes;                         \
    char* place = s + dstOff + r * dstStride + c * dstLane;                                         \
    const unsigned to = (unsigned)__cvta_generic_to_shared(place);                                  \
    const char* from = in + srcOff + r * srcStride + c * laneStride;                                \
    asm volatile("cp.async." how ".shared.global [%0], [%1], " #bytes ";" ::"r"(to), "l"(from));    \
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");                    \
    __syncwarp();                                                                                   \
    out[lane] = *(int*)place;                                                                       \
  }
KERNEL(bypass16, "cg", 16)
KERNEL(ca16, "ca", 16)
KERNEL(ca8, "ca", 8)
KERNEL(ca4, "ca", 4)
