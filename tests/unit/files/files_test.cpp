#include <ermine/error.hpp>

#include "files/csv.hpp"
#include "files/hdf5.hpp"
#include "files/pending_file.hpp"
#include "support/scratch.hpp"

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
