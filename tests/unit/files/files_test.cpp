#include <ermine/error.hpp>
#include <ermine/files.hpp>

#include "files/csv.hpp"
#include "files/hdf5.hpp"
#include "files/hdf5_handle.hpp"
#include "files/input_file.hpp"
#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/stat.h>

namespace {

/// A file whose lock is found by nobody who asks for its name.
constexpr const char* unknown_to_lstat = "unknown_to_lstat";

}  // namespace

/// In place of the library's.
extern "C" int lstat(const char* name, struct stat* status) noexcept {
  if (std::strstr(name, unknown_to_lstat)) {
    errno = EIO;
    return -1;
  }
  return ::fstatat(AT_FDCWD, name, status, AT_SYMLINK_NOFOLLOW);
}

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

/// A file of a terabyte without a line break must not be read into the memory.
TEST_F(Files, CsvRefusesLinesWithoutEnd) {
  const std::string most((1 << 16) - 4, ' ');
  EXPECT_EQ(read_csv(write("a.csv", "0,1\n2," + most + "3"), 2).columns[1],
            (std::vector<double>{1, 3}));
  test::expect_error([&] { read_csv(write("b.csv", "0,1\n2,3" + most + "   \n4,5\n"), 2); },
                     {"b.csv:2: line of more than 64 KiB"});
  const auto endless = write("c.csv", "");
  std::filesystem::resize_file(endless, std::uintmax_t{1} << 40);
  test::expect_error([&] { read_csv(endless, 2); }, {"c.csv:1: line of more than 64 KiB"});
  // Nor are messages as long as what they quote.
  test::expect_error([&] { read_csv(write("d.csv", "0,1\n2,3" + std::string(60, '#')), 2); },
                     {"d.csv:2: '3" + std::string(39, '#') + "' is not"});
}

TEST_F(Files, Hdf5RoundTrip) {
  const auto file = scratch_ / "a.h5";
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  Hdf5Writer out(file);
  out.write("/group/field", std::vector<std::size_t>{2, 3}, values);
  out.attribute("/group/field", "units", "K");
  out.write_text("/text", "h\xC3\xA9llo");
  const std::vector<char> bytes = out.bytes();
  write("a.h5", {bytes.data(), bytes.size()});
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

/// HDF5 reads all of these as zeros.
TEST_F(ForeignHdf5, DataThatWereNeverWrittenAreRefused) {
  const hsize_t count = 8;
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const std::vector<double> values(count, 900.0);
  const auto make = [&](const char* name, const Hdf5Handle& layout) {
    return Hdf5Handle(H5Dcreate2(file_.get(), name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                 layout.get(), H5P_DEFAULT),
                      H5Dclose);
  };
  const Hdf5Handle plain(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Hdf5Handle chunked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = 4;
  H5Pset_chunk(chunked.get(), 1, &chunk);
  H5Pset_deflate(chunked.get(), 1);
  make("nothing", plain);
  {
    const Hdf5Handle half = make("half", chunked);
    const hsize_t start = 0;
    const Hdf5Handle some(H5Dget_space(half.get()), H5Sclose);
    H5Sselect_hyperslab(some.get(), H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
    const Hdf5Handle memory(H5Screate_simple(1, &chunk, nullptr), H5Sclose);
    ASSERT_GE(H5Dwrite(half.get(), H5T_NATIVE_DOUBLE, memory.get(), some.get(), H5P_DEFAULT,
                       values.data()),
              0);
    const Hdf5Handle whole = make("whole", chunked);
    ASSERT_GE(
        H5Dwrite(whole.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  const Hdf5Handle virtual_layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_virtual(virtual_layout.get(), space.get(), "missing.h5", "T", space.get());
  make("virtual", virtual_layout);
  const Hdf5Handle external_layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_external(external_layout.get(), write("short.raw", "12345678").c_str(), 0, 64);
  make("external", external_layout);
  ASSERT_EQ(::mkfifo((scratch_ / "pipe").c_str(), 0600), 0);
  H5Lcreate_external((scratch_ / "pipe").c_str(), "T", file_.get(), "linked", H5P_DEFAULT,
                     H5P_DEFAULT);
  H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
  const Hdf5Reader in(path_);
  EXPECT_EQ(in.read("whole", {count}), values);
  for (const char* name : {"nothing", "half"}) {
    test::expect_error([&] { in.read(name, {count}); }, {name, "foreign.h5", "never written"});
  }
  for (const char* name : {"virtual", "external"}) {
    test::expect_error([&] { in.read(name, {count}); }, {name, "foreign.h5", "lie in other files"});
  }
  test::expect_error([&] { in.read("linked", {count}); }, {"no dataset 'linked'"});
}

/// To open a pipe that nobody writes to never ends.
TEST_F(Files, InputsThatNeverEndAreRefused) {
  ASSERT_EQ(::mkfifo((scratch_ / "pipe").c_str(), 0600), 0);
  const std::string why = "a pipe or a device";
  for (const std::filesystem::path& file :
       {scratch_ / "pipe", std::filesystem::path("/dev/zero")}) {
    test::expect_error([&] { read_csv(file, 2); }, {file.string(), why});
    test::expect_error([&] { read_bytes(file); }, {file.string(), why});
    test::expect_error([&] { Hdf5Reader{file}; }, {file.string(), why});
    test::expect_error([&] { check_seal(file, {"table", 1, ""}); }, {file.string(), why});
  }
}

class PendingFiles : public Files {
 protected:
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
      found.insert(entry.path().filename().string());
    }
    return found;
  }
  std::filesystem::path target_ = scratch_ / "result.txt";
};

TEST_F(PendingFiles, NamesCannotBeGuessedAndFollowNoLinks) {
  std::set<std::filesystem::path> temporary;
  for (int i = 0; i < 20; ++i) temporary.insert(PendingFile(target_).temporary());
  EXPECT_EQ(temporary.size(), 20u);
  const PendingFile pending(target_);
  EXPECT_TRUE(
      std::filesystem::is_regular_file(std::filesystem::symlink_status(pending.temporary())));
}

TEST_F(PendingFiles, WhatAKilledProcessLeftIsRemoved) {
  write(".result.txt.0123456789abcdef.tmp", "left over");
  write(".result.txt.lock", "");
  write(".result.txt.123.tmp", "of somebody else");
  write("result.txt.0123456789abcdef.tmp", "of somebody else");
  PendingFile pending(target_);
  pending.write("new");
  pending.commit();
  EXPECT_FALSE(std::filesystem::exists(scratch_ / ".result.txt.0123456789abcdef.tmp"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / ".result.txt.123.tmp"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "result.txt.0123456789abcdef.tmp"));
}

TEST_F(PendingFiles, LeftOversOfARunAreRemovedAndLiveOnesStay) {
  write(".run.restart.h5.0123456789abcdef.tmp", "left over");
  write(".run.fields.00000012.h5.0123456789abcdef.tmp", "left over");
  write(".run.fields.00000012.h5.lock", "");
  write(".other.h5.0123456789abcdef.tmp", "of another run");
  write(".run2.h5.0123456789abcdef.tmp", "of a run whose name begins alike");
  const PendingFile alive(scratch_ / "run.h5");
  const auto temporary = alive.temporary().filename().string();
  remove_left_over(scratch_ / "run");
  EXPECT_EQ(names(),
            (std::set<std::string>{".other.h5.0123456789abcdef.tmp",
                                   ".run2.h5.0123456789abcdef.tmp", ".run.h5.lock", temporary}));
}

TEST_F(PendingFiles, OneWriterAtATime) {
  {
    const PendingFile first(target_);
    test::expect_error([&] { PendingFile{target_}; },
                       {"another process is writing", target_.string(), "choose another name"});
    EXPECT_TRUE(std::filesystem::exists(first.temporary()));
    const FileLock lock(scratch_ / "run");
    test::expect_error([&] { FileLock{scratch_ / "run"}; }, {"another process is writing"});
  }
  PendingFile{target_};
  FileLock{scratch_ / "run"};
  EXPECT_EQ(names(), std::set<std::string>());
}

/// Such as file systems have whose numbers of open files and of names differ.
TEST_F(PendingFiles, LocksThatCannotBeVerifiedKeepNobodyOut) {
  const FileLock lock(scratch_ / unknown_to_lstat, 0.1);
  EXPECT_FALSE(lock.held());
  EXPECT_TRUE(FileLock(scratch_ / "run", 0.1).held());
}

TEST_F(PendingFiles, TargetsThatAreNotRegularFilesAreRefused) {
  ASSERT_EQ(::mkfifo((scratch_ / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(scratch_ / "folder");
  std::filesystem::create_symlink("/dev/null", scratch_ / "device");
  std::filesystem::create_symlink("/proc/self/fd/1", scratch_ / "stdout");
  const auto before = names();
  const auto refused = [&](const std::string& name, const std::string& why) {
    test::expect_error([&] { PendingFile{scratch_ / name}; },
                       {"cannot write", name, why, "choose another name"});
  };
  refused("pipe", "it is a pipe");
  refused("folder", "a folder of that name is in the way");
  refused("device", "it is a device");
  refused("stdout", "it is a");
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch_ / "device"));
}

}  // namespace
}  // namespace ermine
