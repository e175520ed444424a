#pragma once

#include "backend/cuda.hpp"
#include "core/id.hpp"

#include <cstddef>
#include <utility>

namespace ermine {

/// A value per cell, read through the texture units.
struct TextureField {
  cudaTextureObject_t texture;

#ifdef __CUDACC__
  __device__ __forceinline__ float operator[](CellId cell) const {
    return tex1Dfetch<float>(texture, cell.value);
  }
#endif
};

/// An array of the device made readable as a texture.
class Texture {
 public:
  Texture(const float* values, std::size_t count);
  ~Texture() {
    if (texture_) cudaDestroyTextureObject(texture_);
  }
  Texture(Texture&& other) noexcept : texture_(std::exchange(other.texture_, 0)) {}
  Texture& operator=(Texture&&) = delete;

  /// Values that fit into one texture of the current device.
  static std::size_t most_values();

  TextureField field() const { return {texture_}; }

 private:
  cudaTextureObject_t texture_ = 0;
};

}  // namespace ermine
