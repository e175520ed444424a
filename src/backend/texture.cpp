#include "backend/texture.hpp"

namespace ermine {

Texture::Texture(const float* values, std::size_t count) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(values);
  resource.res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  resource.res.linear.sizeInBytes = count * sizeof(float);
  cudaTextureDesc description{};
  description.readMode = cudaReadModeElementType;
  check_cuda(cudaCreateTextureObject(&texture_, &resource, &description, nullptr),
             "making a texture");
}

std::size_t Texture::most_values() {
  int device = 0, width = 0;
  check_cuda(cudaGetDevice(&device), "choosing a GPU");
  check_cuda(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture1DLinearWidth, device),
             "asking the GPU for its limits");
  return static_cast<std::size_t>(width);
}

}  // namespace ermine
