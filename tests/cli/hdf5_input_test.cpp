#include "run_tool.hpp"

#include <hdf5.h>

#include <limits>

/// Fields read from HDF5 files made here: good ones, and ones broken in every way we know.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Shape = std::vector<hsize_t>;

constexpr std::size_t cells = 8 * 8 * 8;

/// An HDF5 file being made.
class Hdf5File {
 public:
  explicit Hdf5File(const fs::path& path)
      : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Hdf5File() { H5Fclose(id_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void write(const char* name, const Shape& shape, const std::vector<double>& values,
             hid_t stored_as = H5T_IEEE_F64LE) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set =
        H5Dcreate2(id_, name, stored_as, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(set);
    H5Sclose(space);
  }

  /// A dataset of which nothing was ever written, so that it may be larger than any disk.
  void announce(const char* name, const Shape& shape) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    const Shape chunk(shape.size(), 8);
    H5Pset_chunk(chunked, static_cast<int>(chunk.size()), chunk.data());
    const hid_t set =
        H5Dcreate2(id_, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
    EXPECT_GE(set, 0);
    H5Dclose(set);
    H5Pclose(chunked);
    H5Sclose(space);
  }

  void write_text(const char* name) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 4);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(id_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "hot"), 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
  }

  void make_group(const char* name) {
    H5Gclose(H5Gcreate2(id_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

 private:
  hid_t id_;
};

/// A case file in its own folder that takes one field from field.h5.
class Hdf5Input : public testing::Test {
 protected:
  fs::path field() const { return folder_ / "field.h5"; }
  fs::path output() const { return folder_ / "results"; }

  Finished run(const std::string& field_key, const std::string& dataset) const {
    write_file(folder_ / "made.toml", contents_of(valid_case));
    return run_tool({"run", (folder_ / "made.toml").string(), "-o", output().string(), "--set",
                     field_key + "={ hdf5 = \"field.h5\", dataset = \"" + dataset + "\" }"});
  }

  /// The temperature of the gas comes from dataset /T.
  Finished run_with_temperature() const { return run("temperature", "/T"); }

  void expect_refused(const Finished& finished, const std::vector<std::string>& expected) const {
    expect_refusal(finished, expected);
    EXPECT_FALSE(fs::exists(output()) && !fs::is_empty(output())) << "files were written";
  }

  void make_valid() const { Hdf5File(field()).write("/T", {8, 8, 8}, hot_); }

  std::vector<double> hot_ = std::vector<double>(cells, 900.0);

 private:
  ScratchFolder folder_;
};

TEST_F(Hdf5Input, OfTheRightShapeRuns) {
  make_valid();
  expect_success(run_with_temperature());
  EXPECT_TRUE(fs::exists(output() / "made.h5"));
}

TEST_F(Hdf5Input, InIntegersRuns) {
  Hdf5File(field()).write("/T", {8, 8, 8}, hot_, H5T_STD_I32BE);
  expect_success(run_with_temperature());
  EXPECT_TRUE(fs::exists(output() / "made.h5"));
}

TEST_F(Hdf5Input, ShapeMustBeThatOfTheGrid) {
  Hdf5File(field()).write("/T", {8, 8, 4}, std::vector<double>(256, 900.0));
  expect_refused(run_with_temperature(),
                 {"--set temperature=", "dataset '/T'", "field.h5", "has shape (8, 8, 4)",
                  "but (8, 8, 8) is needed", "slowest axis first"});
}

TEST_F(Hdf5Input, ShapeMustHaveThreeDimensions) {
  Hdf5File(field()).write("/T", {512}, hot_);
  expect_refused(run_with_temperature(), {"has shape (512)", "but (8, 8, 8) is needed"});
}

TEST_F(Hdf5Input, ShapeOfAWallIsSlowAxisFirst) {
  Hdf5File(field()).write("/T", {8, 4}, std::vector<double>(32, 900.0));
  expect_refused(run("walls.x_low.temperature", "/T"),
                 {"walls.x_low.temperature", "has shape (8, 4)", "but (8, 8) is needed"});
}

TEST_F(Hdf5Input, HugeShapeIsRefusedWithoutReadingIt) {
  Hdf5File(field()).announce("/T", {1u << 20, 1u << 20, 1u << 20});
  expect_refused(run_with_temperature(),
                 {"has shape (1048576, 1048576, 1048576)", "but (8, 8, 8) is needed"});
}

/// 2^32 x 2^32 x 8 values are 0 modulo 2^64.
TEST_F(Hdf5Input, ShapeWhoseProductOverflowsIsRefused) {
  Hdf5File(field()).announce("/T", {hsize_t{1} << 32, hsize_t{1} << 32, 8});
  expect_refused(run_with_temperature(),
                 {"has shape (4294967296, 4294967296, 8)", "but (8, 8, 8) is needed"});
}

TEST_F(Hdf5Input, NanInOneCellIsRefused) {
  hot_[3 + 8 * (2 + 8 * 1)] = std::numeric_limits<double>::quiet_NaN();
  make_valid();
  expect_refused(
      run_with_temperature(),
      {"temperature is nan at x = 0.4375, y = 0.3125, z = 0.1875", "give kelvin from 0 to 1e5"});
}

TEST_F(Hdf5Input, InfinityInOneCellIsRefused) {
  hot_[511] = std::numeric_limits<double>::infinity();
  make_valid();
  expect_refused(run_with_temperature(),
                 {"temperature is inf at x = 0.9375, y = 0.9375, z = 0.9375"});
}

TEST_F(Hdf5Input, NegativeValueIsRefused) {
  hot_[1] = -3.5;
  make_valid();
  expect_refused(run_with_temperature(), {"temperature is -3.5 at x = 0.1875, y = 0.0625"});
}

TEST_F(Hdf5Input, EmissivityAboveOneIsRefused) {
  Hdf5File(field()).write("/e", {8, 8}, std::vector<double>(64, 1.5));
  expect_refused(run("walls.x_high.emissivity", "/e"),
                 {"walls.x_high.emissivity is 1.5 at x = 1, y = 0.0625, z = 0.0625",
                  "give a value from 0 to 1"});
}

TEST_F(Hdf5Input, MissingDatasetIsRefused) {
  make_valid();
  expect_refused(run("temperature", "/temperature"),
                 {"field.h5 has no dataset '/temperature'", "list its contents with h5ls -r"});
}

TEST_F(Hdf5Input, EmptyDatasetNameIsRefused) {
  make_valid();
  expect_refused(run("temperature", ""), {"temperature", "dataset ''"});
}

TEST_F(Hdf5Input, GroupInsteadOfDatasetIsRefused) {
  Hdf5File(field()).make_group("/T");
  expect_refused(run_with_temperature(), {"field.h5 has no dataset '/T'"});
}

TEST_F(Hdf5Input, TextDatasetIsRefused) {
  Hdf5File(field()).write_text("/T");
  expect_refused(run_with_temperature(), {"dataset '/T'", "field.h5", "does not hold numbers"});
}

TEST_F(Hdf5Input, TextFileNamedH5IsRefused) {
  write_file(field(), "x, T\n0, 500\n1, 1500\n");
  expect_refused(run_with_temperature(),
                 {"field.h5 is not a readable HDF5 file", "foreign or truncated"});
}

TEST_F(Hdf5Input, BrokenLinkIsRefused) {
  fs::create_symlink("absent.h5", field());
  expect_refused(run_with_temperature(), {"cannot read", "field.h5"});
}

TEST_F(Hdf5Input, LinkToItselfIsRefused) {
  fs::create_symlink("field.h5", field());
  expect_refused(run_with_temperature(), {"cannot read", "field.h5"});
}

/// A valid file of which only the beginning arrived: `part` of its length, or all but 1 byte.
class TruncatedHdf5 : public Hdf5Input, public testing::WithParamInterface<int> {};

TEST_P(TruncatedHdf5, IsRefused) {
  make_valid();
  const auto size = fs::file_size(field());
  fs::resize_file(field(), GetParam() < 100 ? size * GetParam() / 100 : size - 1);
  expect_refused(run_with_temperature(), {"--set temperature=", "field.h5", "truncated"});
}

INSTANTIATE_TEST_SUITE_P(Percent, TruncatedHdf5, testing::Values(0, 1, 5, 20, 50, 90, 99, 100),
                         testing::PrintToStringParamName());

/// A header that promises more than follows: the rest of the file is zeros.
TEST_F(Hdf5Input, ZeroedFileIsRefused) {
  make_valid();
  std::string bytes = contents_of(field());
  std::fill(bytes.begin() + 96, bytes.end(), '\0');
  write_file(field(), bytes);
  expect_refused(run_with_temperature(), {"--set temperature=", "field.h5"});
}

}  // namespace
}  // namespace ermine::test
