#include <ermine/error.hpp>

#include "files/csv.hpp"
#include "files/hdf5.hpp"
#include "files/hdf5_handle.hpp"
#include "files/pending_file.hpp"
#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace ermine {
namespace {

class Files : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_ / name, std::ios::binary) << text;
    return scratch_ / name;
  }

  test::ScratchFolder scratch_;
};

TEST_F(Files, CsvSkipsCommentsAndOneHeader) {
  const auto table = read_csv(write("a.csv", "# c\nx [m], T [K]\n0, 1\n\n 1\t2.5e3\r\n2;3\n"), 2);
  EXPECT_EQ(table.columns[0], (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{1, 2500, 3}));
  EXPECT_EQ(table.lines, (std::vector<int>{3, 5, 6}));
}

TEST_F(Files, CsvRefusesBadRows) {
  EXPECT_THROW(read_csv(write("a.csv", "0,1\n2\n"), 2), Error);
  EXPECT_THROW(read_csv(write("b.csv", "0,1\n2,x\n"), 2), Error);
  EXPECT_THROW(read_csv(write("c.csv", "0,1\n2,nan\n"), 2), Error);
  EXPECT_THROW(read_csv(write("d.csv", "# nothing\n"), 2), Error);
  EXPECT_THROW(read_csv(scratch_ / "missing.csv", 2), Error);
}

TEST_F(Files, Hdf5RoundTrip) {
  const auto file = scratch_ / "a.h5";
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  Hdf5Writer out(file);
  out.write("/group/field", std::vector<std::size_t>{2, 3}, values);
  out.attribute("/group/field", "units", "K");
  out.write_text("/text", "h\xC3\xA9llo");
  out.close();
  const Hdf5Array in = read_hdf5(file, "/group/field");
  EXPECT_EQ(in.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(in.values, values);
  EXPECT_THROW(read_hdf5(file, "/group/missing"), Error);
  EXPECT_THROW(read_hdf5(file, "/text"), Error);
  EXPECT_THROW(read_hdf5(write("foreign.h5", "not HDF5"), "/x"), Error);
}

TEST_F(Files, Hdf5WritesNoMoreThanThereIs) {
  Hdf5Writer out(scratch_ / "a.h5");
  const std::vector<std::size_t> shape{2, 3};
  test::expect_error([&] { out.write("/a", shape, std::vector<double>(5)); },
                     {"a.h5", "'/a'", "5 values", "(2, 3)"});
  test::expect_error([&] { out.write_compressed("/b", shape, std::vector<float>(7)); },
                     {"a.h5", "'/b'", "7 values", "(2, 3)"});
}

/// HDF5 files as ermine does not write them.
class ForeignHdf5 : public Files {
 protected:
  ForeignHdf5()
      : file_(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}

  void write_texts(const char* name, hsize_t count, std::size_t length) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), length);
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Handle attribute(
        H5Acreate2(file_.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const std::vector<char> text(count * length, 'x');
    ASSERT_GE(H5Awrite(attribute.get(), type.get(), text.data()), 0);
  }
  /// Of any size: what was never written takes no room.
  void write_nothing(const char* name, std::vector<hsize_t> shape) {
    const std::vector<hsize_t> chunk(shape.size(), 1);
    const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle set(H5Dcreate2(file_.get(), name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                    layout.get(), H5P_DEFAULT),
                         H5Dclose);
    ASSERT_TRUE(set);
  }

  std::filesystem::path path_ = scratch_ / "foreign.h5";
  Hdf5Handle file_;
};

TEST_F(ForeignHdf5, AttributesOfSeveralTextsAreRefused) {
  write_texts("one", 1, 8);
  write_texts("many", 5000, 8);
  H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
  const Hdf5Reader in(path_);
  EXPECT_EQ(in.text("one"), "xxxxxxxx");
  test::expect_error([&] { in.text("many"); }, {"attribute 'many'", "foreign.h5", "one text"});
  test::expect_error([&] { in.number("one"); }, {"attribute 'one'", "is not a number"});
}

TEST_F(ForeignHdf5, DatasetsLargerThanMemoryAreRefused) {
  write_nothing("long", {hsize_t{1} << 45});
  write_nothing("overflowing", {hsize_t{1} << 33, hsize_t{1} << 31});
  H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
  const Hdf5Reader in(path_);
  for (const std::string name : {"long", "overflowing"}) {
    test::expect_error([&] { in.read(name, in.shape(name)); },
                       {"dataset '" + name + "'", "foreign.h5", "GB of memory"});
  }
}

TEST_F(Files, PendingFileAppearsOnlyWhenCommitted) {
  const auto target = scratch_ / "result.txt";
  {
    PendingFile pending(target);
    pending.write("abandoned");
    EXPECT_TRUE(std::filesystem::exists(pending.temporary()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
  PendingFile pending(target);
  pending.write("kept");
  EXPECT_FALSE(std::filesystem::exists(target));
  pending.commit();
  std::string text;
  std::ifstream(target) >> text;
  EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace ermine
