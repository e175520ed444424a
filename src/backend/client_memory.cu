#include "backend/client_memory.hpp"
#include "backend/cuda.hpp"

namespace ermine {
namespace {

constexpr unsigned threads = 256;
constexpr const char* reading = "reading a client's array";
constexpr const char* writing = "writing a client's array";
/// The one that waits for all others of the client, unless it asked for those that do not.
constexpr cudaStream_t client_stream = nullptr;

/// As StridedCells, for kernels.
struct CellPlaces {
  explicit CellPlaces(const StridedCells& cells)
      : nx(cells.extent[0]),
        ny(cells.extent[1]),
        count(nx * ny * cells.extent[2]),
        x(cells.stride[0]),
        y(cells.stride[1]),
        z(cells.stride[2]),
        first(cells.first) {}

  __device__ std::int64_t operator()(std::int64_t cell) const {
    return first + cell % nx * x + cell / nx % ny * y + cell / (nx * ny) * z;
  }

  std::int64_t nx, ny, count, x, y, z, first;
};

template <class T>
__global__ void pack(double* values, const T* array, const CellPlaces place, double offset,
                     double factor) {
  const std::int64_t cell = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cell < place.count) {
    values[cell] = offset + factor * static_cast<double>(array[place(cell)]);
  }
}

template <class T>
__global__ void unpack(T* array, const double* values, const CellPlaces place, double factor) {
  const std::int64_t cell = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cell < place.count) array[place(cell)] = static_cast<T>(factor * values[cell]);
}

/// The GPU whose memory an address is in is the current one, for a while.
class DeviceOf {
 public:
  explicit DeviceOf(const void* address) {
    cudaPointerAttributes attributes{};
    check_cuda(cudaPointerGetAttributes(&attributes, address), "finding a client's array");
    check_cuda(cudaGetDevice(&before_), "asking for the current GPU");
    check_cuda(cudaSetDevice(attributes.device), "choosing a GPU");
  }
  ~DeviceOf() { cudaSetDevice(before_); }
  DeviceOf(const DeviceOf&) = delete;
  DeviceOf& operator=(const DeviceOf&) = delete;

 private:
  int before_ = 0;
};

/// Values of cells side by side, on the GPU for a moment.
class Packed {
 public:
  explicit Packed(const StridedCells& cells) : count_(CellPlaces(cells).count) {
    void* memory = nullptr;
    check_cuda(cudaMallocAsync(&memory, bytes(), client_stream), "allocating room for an array");
    values_ = static_cast<double*>(memory);
  }
  ~Packed() { cudaFreeAsync(values_, client_stream); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  double* values() const { return values_; }
  unsigned blocks() const { return static_cast<unsigned>((count_ + threads - 1) / threads); }
  void receive(double* values) const {
    check_cuda(cudaMemcpyAsync(values, values_, bytes(), cudaMemcpyDeviceToHost, client_stream),
               reading);
    wait();
  }
  void send(const double* values) const {
    check_cuda(cudaMemcpyAsync(values_, values, bytes(), cudaMemcpyHostToDevice, client_stream),
               writing);
  }
  void wait() const { check_cuda(cudaStreamSynchronize(client_stream), "waiting for an array"); }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(double); }

  std::int64_t count_;
  double* values_ = nullptr;
};

}  // namespace

bool on_device(const void* address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();  // no GPU here: it must not turn up in a later call
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice;
}

template <class T>
void read_from_device(double* values, const T* array, const StridedCells& cells, double offset,
                      double factor) {
  const DeviceOf here(array);
  const Packed packed(cells);
  pack<<<packed.blocks(), threads, 0, client_stream>>>(packed.values(), array, CellPlaces(cells),
                                                       offset, factor);
  check_cuda(cudaGetLastError(), reading);
  packed.receive(values);
}

template <class T>
void write_to_device(T* array, const double* values, const StridedCells& cells, double factor) {
  const DeviceOf here(array);
  const Packed packed(cells);
  packed.send(values);
  unpack<<<packed.blocks(), threads, 0, client_stream>>>(array, packed.values(), CellPlaces(cells),
                                                         factor);
  check_cuda(cudaGetLastError(), writing);
  packed.wait();
}

template void read_from_device(double*, const float*, const StridedCells&, double, double);
template void read_from_device(double*, const double*, const StridedCells&, double, double);
template void write_to_device(float*, const double*, const StridedCells&, double);
template void write_to_device(double*, const double*, const StridedCells&, double);

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  return device;
}

void use_device(int device) { check_cuda(cudaSetDevice(device), "choosing a GPU"); }

}  // namespace ermine
