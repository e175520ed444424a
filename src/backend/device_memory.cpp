#include "backend/device_memory.hpp"

#include "core/check.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace ermine {

namespace {

/// Memory that is given back stays with the program up to this much: the next solution needs as
/// much again.
constexpr std::uint64_t kept_on_device = std::uint64_t{2} << 30;
constexpr std::size_t kept_on_host = std::size_t{1} << 30;

struct PinnedBlock {
  std::size_t bytes;
  void* start;
};

/// Blocks that nobody uses.
struct PinnedBlocks {
  std::mutex mutex;
  std::vector<PinnedBlock> free;
  std::size_t bytes = 0;
};

/// Never destroyed: arrays that outlive main() may still come back, and the system frees them.
PinnedBlocks& pinned_blocks() {
  static auto* blocks = new PinnedBlocks;
  return *blocks;
}

/// A pool of our own: that of the program is not ours to set up.
cudaMemPool_t pool_of_this_device() {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  const std::lock_guard lock(mutex);
  const auto known = pools.find(device);
  if (known != pools.end()) return known->second;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  check_cuda(cudaMemPoolCreate(&pool, &properties), "taking memory of the GPU");
  std::uint64_t kept = kept_on_device;
  check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
             "taking memory of the GPU");
  pools.emplace(device, pool);
  return pool;
}

/// Gives memory of a pool back that nobody uses any more, whichever the current GPU is. Nothing can
/// be done about errors, as when the program ends.
void give_back(void* array, int device) {
  int current = device;
  cudaGetDevice(&current);
  if (current != device) cudaSetDevice(device);
  // Not the default stream, on which the program may rely.
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess) {
    cudaFreeAsync(array, stream);
    cudaStreamDestroy(stream);
  }
  if (current != device) cudaSetDevice(current);
}

}  // namespace

DeviceMemory::DeviceMemory(const Stream& stream) : stream_(stream), pool_(pool_of_this_device()) {}

DeviceMemory::~DeviceMemory() {
  for (void* array : arrays_) cudaFreeAsync(array, stream_.get());
  if (!kept_.empty()) cudaStreamSynchronize(stream_.get());  // whose work may use them
}

void* DeviceMemory::allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* array = take_bytes(bytes);
  arrays_.push_back(array);
  return array;
}

void* DeviceMemory::take_bytes(std::size_t bytes) {
  void* array = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&array, bytes, pool_, stream_.get());
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is reported here and must not turn up in a later call
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    fail(
        "the GPU has too little memory: {:.3g} GB are needed on top of {:.3g} GB, {:.3g} of its "
        "{:.3g} GB are free; use a coarser grid, close other programs on the GPU, or choose "
        "backend = \"cpu\"",
        static_cast<double>(bytes) / 1e9, static_cast<double>(bytes_) / 1e9,
        static_cast<double>(free) / 1e9, static_cast<double>(total) / 1e9);
  }
  check_cuda(status, "taking memory of the GPU");
  bytes_ += static_cast<std::int64_t>(bytes);
  return array;
}

void DeviceMemory::clear(void* array, std::size_t bytes) {
  if (bytes > 0) {
    check_cuda(cudaMemsetAsync(array, 0, bytes, stream_.get()), "clearing memory of the GPU");
  }
}

void DeviceMemory::upload_bytes(void* to, const void* from, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()),
             "copying to the GPU");
  stream_.wait();
}

const void* DeviceMemory::copy_bytes(const void* array, std::size_t bytes) {
  const auto known = copies_.find(array);
  if (known != copies_.end()) return known->second;
  void* copy = allocate_bytes(bytes);
  check_cuda(cudaMemcpyAsync(copy, array, bytes, cudaMemcpyHostToDevice, stream_.get()),
             "copying to the GPU");
  copies_.emplace(array, copy);
  return copy;
}

const void* DeviceMemory::kept_copy_bytes(const void* array, std::size_t bytes,
                                          const KeptCopies& copies) {
  const auto known = copies_.find(array);
  if (known != copies_.end()) return known->second;
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  bool made = false;
  const KeptCopies::Copy copy = copies.get(device, array, [&] {
    const KeptCopies::Copy fresh(take_bytes(bytes),
                                 [device](void* start) { give_back(start, device); });
    upload_bytes(const_cast<void*>(fresh.get()), array, bytes);  // other streams may use it at once
    made = true;
    return fresh;
  });
  if (!made) bytes_ += static_cast<std::int64_t>(bytes);
  kept_.push_back(copy);
  copies_.emplace(array, copy.get());
  return copy.get();
}

PinnedMemory::PinnedMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  PinnedBlocks& blocks = pinned_blocks();
  {
    const std::lock_guard lock(blocks.mutex);
    const auto fits = [&](const PinnedBlock& block) {
      return block.bytes >= bytes && block.bytes / 2 <= bytes;
    };
    const auto found = std::find_if(blocks.free.begin(), blocks.free.end(), fits);
    if (found != blocks.free.end()) {
      bytes_ = found->bytes;
      start_ = found->start;
      blocks.bytes -= found->bytes;
      blocks.free.erase(found);
      return;
    }
  }
  const cudaError_t status = cudaMallocHost(&start_, bytes);
  ERMINE_REQUIRE(status != cudaErrorMemoryAllocation,
                 "this machine has too little memory for results of {:.3g} GB from the GPU, use a "
                 "coarser grid",
                 static_cast<double>(bytes) / 1e9);
  check_cuda(status, "taking memory of the host");
}

PinnedMemory::~PinnedMemory() {
  if (!start_) return;
  PinnedBlocks& blocks = pinned_blocks();
  const std::lock_guard lock(blocks.mutex);
  blocks.free.push_back({bytes_, start_});
  blocks.bytes += bytes_;
  while (blocks.bytes > kept_on_host) {  // the oldest go
    cudaFreeHost(blocks.free.front().start);
    blocks.bytes -= blocks.free.front().bytes;
    blocks.free.erase(blocks.free.begin());
  }
}

}  // namespace ermine
