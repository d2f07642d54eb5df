// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver: modules and their kernels.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tests/gpu/fake/images.h"
#include "tests/gpu/fake/state.h"

using namespace tileloom::fake;

extern "C" {

int cuModuleLoadData(cu::Module* module, const void* image) {
  ENTER(cuModuleLoadData);
  if (s.current == nullptr) return 201;
  if (std::memcmp(image, "\177ELF\2", 5) != 0) return 200;
  auto* made = new cu::ModuleTag;
  made->image = static_cast<const unsigned char*>(image);
  ElfHeader h;
  std::memcpy(&h, image, sizeof h);
  if (h.flags == kOwnFlags && h.version / 10 != static_cast<unsigned>(s.b.arch) / 10) {
    delete made;
    return cu::kNoBinaryForGpu;
  }
  s.modules.insert(made);
  *module = made;
  return cu::kSuccess;
}

int cuModuleUnload(cu::Module module) {
  RELEASE(cuModuleUnload);
  s.drainAll(lock);
  if (s.modules.erase(module) == 0) return cu::kInvalidValue;
  if (module->variable != nullptr) {
    s.memory.erase(reinterpret_cast<DevicePtr>(module->variable));
    std::free(module->variable);
  }
  delete module;
  return answer;
}

int cuModuleGetFunction(cu::Function* function, cu::Module module, const char* name) {
  ENTER(cuModuleGetFunction);
  if (s.modules.count(module) == 0) return cu::kInvalidValue;
  if (!hasKernel(module->image, name, !s.b.cubin.empty())) return 500;
  module->functions.push_back(std::make_unique<cu::FunctionTag>());
  module->functions.back()->name = name;
  module->functions.back()->module = module;
  ElfHeader h;
  std::memcpy(&h, module->image, sizeof h);
  if (h.flags == kOwnFlags && s.b.landscape > 0) {
    const char* names = reinterpret_cast<const char*>(module->image) + sizeof h;
    const char* parameters = names + std::strlen(names) + 1;
    if (*parameters != '\0')
      module->functions.back()->quality = qualityOf(parameters, s.b.landscape);
  }
  if (h.flags == kOwnFlags) {
    const char* names = reinterpret_cast<const char*>(module->image) + sizeof h;
    module->functions.back()->sums =
        std::strstr(names + std::strlen(names) + 1, "-DTILELOOM_SUMMING=1") != nullptr;
  }
  *function = module->functions.back().get();
  return cu::kSuccess;
}

int cuModuleGetGlobal_v2(DevicePtr* address, std::size_t* bytes, cu::Module module,
                         const char* name) {
  ENTER(cuModuleGetGlobal_v2);
  if (s.modules.count(module) == 0) return cu::kInvalidValue;
  if (std::string_view(name) != "tileloom_stamps") return 500;
  if (module->variable == nullptr) {
    module->variable = std::calloc(1, kStampsBytes);
    const auto at = reinterpret_cast<DevicePtr>(module->variable);
    s.memory[at] = {kStampsBytes, 0, module->variable};
  }
  *address = reinterpret_cast<DevicePtr>(module->variable);
  *bytes = kStampsBytes;
  return cu::kSuccess;
}

int cuFuncGetAttribute(int* value, int attribute, cu::Function function) {
  ENTER(cuFuncGetAttribute);
  switch (attribute) {
    case cu::kFuncNumRegs:
      *value = s.b.registers;
      return cu::kSuccess;
    case cu::kFuncLocalSizeBytes:
      *value = s.b.spill;
      return cu::kSuccess;
    case cu::kFuncSharedSizeBytes:
      *value = s.b.staticShared;
      return cu::kSuccess;
    case cu::kFuncMaxDynamicSharedSizeBytes:
      *value = function->dynamicLimit;
      return cu::kSuccess;
    default:
      return cu::kInvalidValue;
  }
}

int cuFuncSetAttribute(cu::Function function, int attribute, int value) {
  ENTER(cuFuncSetAttribute);
  if (attribute == cu::kFuncPreferredSharedCarveout) return cu::kSuccess;
  if (attribute != cu::kFuncMaxDynamicSharedSizeBytes || value < 0 ||
      value > kSharedPerBlock - s.b.staticShared) {
    return cu::kInvalidValue;
  }
  function->dynamicLimit = value;
  return cu::kSuccess;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, cu::Function, int threads,
                                                std::size_t dynamic) {
  ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  *blocks = blocksThatFit(s.b, threads, s.b.staticShared + static_cast<int>(dynamic));
  return cu::kSuccess;
}

}  // extern "C"

SAME(cuModuleLoadData);
SAME(cuModuleUnload);
SAME(cuModuleGetFunction);
SAME(cuModuleGetGlobal_v2);
SAME(cuFuncGetAttribute);
SAME(cuFuncSetAttribute);
SAME(cuOccupancyMaxActiveBlocksPerMultiprocessor);
