// Marks a function that runs on the host and, where nvcc compiles it, on the device.
#pragma once

#if defined(__CUDACC__)
#define PLUMBLINE_HOST_DEVICE __host__ __device__
#else
#define PLUMBLINE_HOST_DEVICE
#endif
