#pragma once

/// Marks functions that run on the host and, when compiled by nvcc, on the device.
#ifdef __CUDACC__
#define ERMINE_FUNCTION __host__ __device__ __forceinline__
#else
#define ERMINE_FUNCTION inline
#endif

/// Before a loop of a few steps over small arrays: in a GPU's registers only if their places are
/// known to the compiler.
#ifdef __CUDA_ARCH__
#define ERMINE_UNROLL _Pragma("unroll")
#else
#define ERMINE_UNROLL
#endif
