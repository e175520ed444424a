// Whatever a restart file of the channel holds behind its seal, which the program checks first, its
// datasets are read as they were written or refused.

#include <ermine/error.hpp>

#include "hdf5_file.hpp"
#include "hdf5_image.hpp"
#include "in_memory.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>
#include <vector>

namespace {

using ermine::Hdf5Handle;

/// A dataset with as many dimensions as there are, of lengths that may be absurd; small ones are
/// written.
void make(const ermine::fuzz::Hdf5Image& image, const char* name, FuzzedDataProvider& in) {
  std::vector<hsize_t> extent(in.ConsumeIntegralInRange<std::size_t>(0, 4));
  for (hsize_t& n : extent) {
    n = in.ConsumeBool() ? in.ConsumeIntegral<hsize_t>() : in.ConsumeIntegralInRange<hsize_t>(0, 4);
  }
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (in.ConsumeBool()) {
    const std::vector<hsize_t> chunk(extent.size(), 1);
    H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
  }
  const Hdf5Handle folders(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(folders.get(), 1);
  const std::array types{H5T_IEEE_F64LE, H5T_STD_U8LE, H5T_C_S1, H5T_IEEE_F32BE};
  const Hdf5Handle set(
      H5Dcreate2(image.file(), name, types[in.ConsumeIntegralInRange<std::size_t>(0, 3)],
                 space.get(), folders.get(), layout.get(), H5P_DEFAULT),
      H5Dclose);
  if (!set || !in.ConsumeBool()) return;
  const auto count = H5Sget_simple_extent_npoints(space.get());
  if (count < 0 || count > 256) return;
  for (const hsize_t n : extent) {
    if (n > 256) return;
  }
  const std::vector<double> values(static_cast<std::size_t>(count), 7.0);
  H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  ermine::silence_hdf5();
  ermine::fuzz::keep_memory_of_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ermine::fuzz::FileInMemory file;
  FuzzedDataProvider in(data, size);
  {
    const ermine::fuzz::Hdf5Image image;
    for (const char* name : {"clock", "fields/u", "radiation/state"}) make(image, name, in);
    file.hold(image.bytes());
  }
  const auto attempt = [](auto read) {
    try {
      for (const auto value : read()) {
        if (value != 7) std::abort();
      }
    } catch (const ermine::Error&) {
    }
  };
  try {
    const channel::Hdf5Reader reader(file.path());
    attempt([&] { return reader.numbers("clock"); });
    attempt([&] { return reader.bytes("radiation/state"); });
    attempt([&] { return reader.plane("fields/u", 1); });
    attempt([&] { return reader.numbers("fields"); });
  } catch (const ermine::Error&) {
  }
  return 0;
}
