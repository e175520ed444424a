#pragma once

/// Marks functions that run on the host and, when compiled by nvcc, on the device.
#ifdef __CUDACC__
#define ERMINE_FUNCTION __host__ __device__ __forceinline__
#else
#define ERMINE_FUNCTION inline
#endif
