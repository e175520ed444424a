#include "files/sealed_file.hpp"

#include <ermine/error.hpp>

#include "files/hdf5.hpp"
#include "files/sha256.hpp"
#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace ermine {
namespace {

TEST(Sha256, KnowsTheStandardsVectors) {
  EXPECT_EQ(sha256(std::string()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Where the length still fits into the last block, and where it does not; from sha256sum.
TEST(Sha256, PadsEveryLength) {
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(63, 'a')),
            "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

class SealedFile : public testing::Test {
 protected:
  SealedFile() {
    Hdf5Writer out("numbers");
    out.write("numbers", std::vector<std::size_t>{3}, std::vector<double>{1, 2, 3});
    hdf5_ = out.bytes();
    write_sealed(hdf5_, file_);
    sealed_ = read_bytes(file_);
  }

  void expect_refused(const std::vector<char>& bytes, const std::string& text) {
    test::expect_error([&] { open_seal(bytes, "some.h5"); }, {"some.h5", text});
  }

  test::ScratchFolder scratch_;
  std::filesystem::path file_ = scratch_ / "numbers.h5";
  std::vector<char> hdf5_;
  std::vector<char> sealed_;
};

TEST_F(SealedFile, OpensToWhatWasSealed) {
  const std::span<const char> opened = open_seal(sealed_, "some.h5");
  EXPECT_EQ(std::vector<char>(opened.begin(), opened.end()), hdf5_);
  EXPECT_EQ(sealed_.size(), hdf5_.size() + 512);
  EXPECT_EQ(std::string(sealed_.begin(), sealed_.end()), sealed(hdf5_));
  EXPECT_EQ(sha256_of_file(file_), sha256(sealed_));
}

TEST_F(SealedFile, IsAnHdf5FileForEverybodyElse) {
  EXPECT_EQ(Hdf5Reader(file_).read("numbers", {3}), (std::vector<double>{1, 2, 3}));
}

TEST_F(SealedFile, AnyFlippedByteIsFound) {
  ASSERT_GT(sealed_.size(), 512u);
  // All of the block, then every 97th byte and the last.
  for (std::size_t i = 0; i < sealed_.size(); i += i < 512 ? 1 : 97) {
    std::vector<char> damaged = sealed_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_THROW(open_seal(damaged, "some.h5"), Error) << "byte " << i;
  }
  std::vector<char> damaged = sealed_;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  expect_refused(damaged, "is truncated or damaged (its checksum does not fit), copy it again");
}

TEST_F(SealedFile, TruncatedOrLongerIsFound) {
  for (const std::size_t length : {14ul, 15ul, 100ul, 511ul, 512ul}) {
    expect_refused({sealed_.begin(), sealed_.begin() + static_cast<long>(length)},
                   "is truncated, copy it again");
  }
  for (const std::size_t length : {std::size_t{513}, sealed_.size() / 2, sealed_.size() - 1}) {
    expect_refused({sealed_.begin(), sealed_.begin() + static_cast<long>(length)},
                   "truncated or damaged");
  }
  std::vector<char> longer = sealed_;
  longer.push_back('\0');
  expect_refused(longer, "truncated or damaged");
}

TEST_F(SealedFile, ForeignFilesAreNamedSo) {
  const std::string message =
      "is not a table of ermine (it does not begin with \"ermine table 1\")";
  expect_refused({}, message);
  expect_refused({'e', 'r', 'm'}, message);
  expect_refused(hdf5_, message);  // HDF5, but without a seal
  std::ofstream(scratch_ / "empty.h5").close();
  EXPECT_TRUE(read_bytes(scratch_ / "empty.h5").empty());
}

TEST_F(SealedFile, OtherVersionsAreNamedSo) {
  for (const std::string version : {"2", "10", "1.1", "1 "}) {
    std::string text = "ermine table " + version + "\nsha256 " + sha256(hdf5_) + "\n";
    text.resize(512, '\0');
    std::vector<char> bytes(text.begin(), text.end());
    bytes.insert(bytes.end(), hdf5_.begin(), hdf5_.end());
    expect_refused(bytes, "is a table of version " + version + ", this program reads version 1");
  }
}

TEST_F(SealedFile, MissingFilesAndFoldersCannotBeRead) {
  test::expect_error([&] { read_bytes(scratch_ / "missing.h5"); }, {"cannot read", "missing.h5"});
  test::expect_error([&] { read_bytes(scratch_.path()); }, {"cannot read"});
}

}  // namespace
}  // namespace ermine
