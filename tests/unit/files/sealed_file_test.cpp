#include "files/sealed_file.hpp"

#include <ermine/error.hpp>

#include "files/hdf5.hpp"
#include "files/input_file.hpp"
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
    write_sealed(hdf5_, seal_, file_);
    sealed_ = read_bytes(file_);
  }

  void expect_refused(const std::vector<char>& bytes, const std::string& text) {
    test::expect_error([&] { open_seal(bytes, seal_, "some.h5"); }, {"some.h5", text});
  }

  static constexpr Seal seal_{"table", 1, "build one"};
  test::ScratchFolder scratch_;
  std::filesystem::path file_ = scratch_ / "numbers.h5";
  std::vector<char> hdf5_;
  std::vector<char> sealed_;
};

TEST_F(SealedFile, OpensToWhatWasSealed) {
  const std::span<const char> opened = open_seal(sealed_, seal_, "some.h5");
  EXPECT_EQ(std::vector<char>(opened.begin(), opened.end()), hdf5_);
  EXPECT_EQ(sealed_.size(), hdf5_.size() + 512);
  EXPECT_EQ(std::string(sealed_.begin(), sealed_.end()), sealed(hdf5_, seal_));
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
    EXPECT_THROW(open_seal(damaged, seal_, "some.h5"), Error) << "byte " << i;
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
  const std::string message = "is not a table of ermine (it does not begin with \"ermine table 1\"";
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

TEST_F(SealedFile, IsCheckedWithoutBeingReadAsAWhole) {
  PendingFile pending(scratch_ / "late.h5");
  pending.write(std::string(seal_size, '\0'));
  pending.write({hdf5_.data(), hdf5_.size()});
  write_seal(pending, seal_);
  pending.commit();
  EXPECT_EQ(read_bytes(scratch_ / "late.h5"), sealed_);
  check_seal(file_, seal_);
  for (std::size_t i = 0; i < sealed_.size(); i += 101) {
    std::vector<char> damaged = sealed_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x04);
    std::ofstream(file_, std::ios::binary).write(damaged.data(), std::ssize(damaged));
    EXPECT_THROW(check_seal(file_, seal_), Error) << "byte " << i;
  }
  for (const long length : {0l, 14l, 512l, 513l}) {
    std::ofstream(file_, std::ios::binary).write(sealed_.data(), length);
    EXPECT_THROW(check_seal(file_, seal_), Error) << length << " bytes";
  }
  std::ofstream(file_, std::ios::binary).write(hdf5_.data(), std::ssize(hdf5_));
  test::expect_error([&] { check_seal(file_, seal_); },
                     {"numbers.h5", "HDF5 without a checksum", "ermine 0.1", "build one"});
}

TEST(Sha256, OfPieces) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>('a' + i % 23);
  for (const std::size_t piece : {1ul, 7ul, 63ul, 64ul, 65ul, 200ul}) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      sum.add(std::span<const char>(text).subspan(at, std::min(piece, text.size() - at)));
    }
    EXPECT_EQ(sum.digits(), sha256(text)) << piece;
  }
}

TEST_F(SealedFile, MissingFilesAndFoldersCannotBeRead) {
  test::expect_error([&] { read_bytes(scratch_ / "missing.h5"); }, {"cannot read", "missing.h5"});
  test::expect_error([&] { read_bytes(scratch_.path()); }, {"cannot read"});
}

}  // namespace
}  // namespace ermine
