// Fields in HDF5 files of many kinds. Most inputs describe a file, which is made with the HDF5
// library, and may have bytes changed afterwards; what is read without an Error must be what was
// written.

#include <ermine/case.hpp>
#include <ermine/error.hpp>

#include "hdf5_image.hpp"
#include "in_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>
#include <optional>
#include <vector>

namespace {

using namespace ermine;

constexpr std::array<hsize_t, 3> shape{2, 3, 4};
constexpr std::size_t cells = 24;

Hdf5Handle stored_type(FuzzedDataProvider& in) {
  const std::array types{H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_STD_I8LE,
                         H5T_STD_U64BE,  H5T_STD_B32LE,  H5T_C_S1,       H5T_STD_REF_OBJ};
  Hdf5Handle type(H5Tcopy(types[in.ConsumeIntegralInRange<std::size_t>(0, types.size() - 1)]),
                  H5Tclose);
  if (in.ConsumeBool()) H5Tset_size(type.get(), in.ConsumeIntegralInRange<std::size_t>(0, 20));
  if (in.ConsumeBool()) H5Tset_precision(type.get(), in.ConsumeIntegralInRange<std::size_t>(0, 70));
  return type;
}

Hdf5Handle extent(FuzzedDataProvider& in) {
  if (in.ConsumeProbability<float>() < 0.7f) {
    return {H5Screate_simple(3, shape.data(), nullptr), H5Sclose};
  }
  if (in.ConsumeBool()) return {H5Screate(in.ConsumeBool() ? H5S_SCALAR : H5S_NULL), H5Sclose};
  std::vector<hsize_t> other(in.ConsumeIntegralInRange<std::size_t>(0, 5));
  for (hsize_t& n : other) {
    n = in.ConsumeBool() ? in.ConsumeIntegral<hsize_t>() : in.ConsumeIntegralInRange(0, 5);
  }
  return {H5Screate_simple(static_cast<int>(other.size()), other.data(), nullptr), H5Sclose};
}

Hdf5Handle layout(FuzzedDataProvider& in) {
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  switch (in.ConsumeIntegralInRange(0, 5)) {
    case 0:
      H5Pset_layout(list.get(), H5D_COMPACT);
      break;
    case 1: {
      std::array<hsize_t, 3> chunk;
      for (hsize_t& n : chunk) n = in.ConsumeIntegralInRange<hsize_t>(0, 5);
      H5Pset_chunk(list.get(), 3, chunk.data());
      if (in.ConsumeBool()) H5Pset_shuffle(list.get());
      if (in.ConsumeBool()) H5Pset_deflate(list.get(), 1);
      if (in.ConsumeBool()) H5Pset_fletcher32(list.get());
      break;
    }
    case 2:
      H5Pset_external(list.get(), "/proc/self/no_such_file", 0, H5F_UNLIMITED);
      break;
    case 3: {
      const Hdf5Handle space(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
      H5Pset_virtual(list.get(), space.get(), in.ConsumeBool() ? "/proc/self/no_such_file" : ".",
                     "other", space.get());
      break;
    }
    default:
      break;
  }
  if (in.ConsumeBool()) {
    const double fill = in.ConsumeFloatingPoint<double>();
    H5Pset_fill_value(list.get(), H5T_NATIVE_DOUBLE, &fill);
  }
  return list;
}

/// What a reader should find in the dataset "T".
struct Written {
  bool nothing = false;                       ///< it is there, its data are not
  std::optional<std::vector<double>> values;  ///< all of them, stored as they are
};

Written fill(const fuzz::Hdf5Image& image, FuzzedDataProvider& in) {
  const hid_t file = image.file();
  if (in.ConsumeProbability<float>() < 0.1f) {
    if (in.ConsumeBool()) {
      H5Lcreate_soft(in.ConsumeRandomLengthString(8).c_str(), file, "T", H5P_DEFAULT, H5P_DEFAULT);
    } else {
      Hdf5Handle(H5Gcreate2(file, "T", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    }
    return {};
  }
  const Hdf5Handle type = stored_type(in), space = extent(in), made = layout(in);
  const Hdf5Handle set(
      H5Dcreate2(file, "T", type.get(), space.get(), H5P_DEFAULT, made.get(), H5P_DEFAULT),
      H5Dclose);
  if (!set || H5Sget_simple_extent_npoints(space.get()) != cells) return {};
  std::vector<double> values(cells);
  for (double& value : values) value = in.ConsumeIntegralInRange(0, 100);
  if (in.ConsumeBool())
    values[in.ConsumeIntegralInRange<std::size_t>(0, cells - 1)] =
        in.ConsumeFloatingPoint<double>();
  const int written = in.ConsumeIntegralInRange(0, 3);
  const H5D_layout_t kind = H5Pget_layout(made.get());
  if (written == 0) return {.nothing = kind != H5D_COMPACT, .values = {}};
  if (written == 1) {
    const std::array<hsize_t, 3> none{}, part{1, 1, 4};
    const Hdf5Handle some(H5Screate_simple(3, part.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, none.data(), nullptr, part.data(), nullptr);
    H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, some.get(), space.get(), H5P_DEFAULT, values.data());
    return {};
  }
  if (H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    return {};
  }
  // Types that hold these numbers; others round them.
  if (H5Tequal(type.get(), H5T_IEEE_F64LE) > 0 || H5Tequal(type.get(), H5T_IEEE_F64BE) > 0) {
    if (kind != H5D_VIRTUAL) return {.nothing = false, .values = values};
  }
  return {};
}

std::optional<std::vector<double>> read(const fuzz::FileInMemory& file) {
  const std::string text =
      "temperature = { hdf5 = \"" + file.path().string() + "\", dataset = \"T\" }\n" +
      "medium = { absorption_coefficient = 1.0 }\n"
      "grid = { x = { cells = 4, to = 1 }, y = { cells = 3, to = 1, periodic = true },"
      " z = { cells = 2, to = 1, periodic = true } }\n"
      "walls = { x_low = { temperature = 1 }, x_high = { temperature = 1 } }\n";
  try {
    return parse_case(text, "/fuzz.toml").temperature;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  silence_hdf5();
  fuzz::keep_memory_of_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FileInMemory file;
  FuzzedDataProvider in(data, size);
  Written expected;
  std::vector<char> bytes;
  if (in.ConsumeProbability<float>() < 0.9f) {
    const fuzz::Hdf5Image image;
    expected = fill(image, in);
    bytes = image.bytes();
  } else {
    bytes = in.ConsumeRemainingBytes<char>();
  }
  file.hold(bytes);
  const auto found = read(file);
  if (expected.nothing && found) std::abort();
  if (expected.values) {
    const bool kelvins = std::all_of(expected.values->begin(), expected.values->end(),
                                     [](double t) { return t >= 0 && t <= 1e5; });
    if (kelvins != found.has_value()) std::abort();
    if (found && *found != *expected.values) std::abort();
  }
  return 0;
}
