#include "files/sealed_file.hpp"

#include "core/check.hpp"
#include "files/pending_file.hpp"
#include "files/sha256.hpp"

#include <fstream>
#include <string_view>
#include <system_error>

namespace ermine {
namespace {

constexpr std::string_view product = "ermine table ";
constexpr std::string_view version = "1";
constexpr std::size_t block_size = 512;

std::string block_for(std::span<const char> hdf5) {
  std::string block = fmt::format("{}{}\nsha256 {}\n", product, version, sha256(hdf5));
  block.resize(block_size, '\0');
  return block;
}

}  // namespace

std::vector<char> read_bytes(const std::filesystem::path& file) {
  std::error_code unreadable;
  ERMINE_REQUIRE(std::filesystem::is_regular_file(file, unreadable),
                 "cannot read {}, check that the file exists and may be read", file.string());
  std::ifstream in(file, std::ios::binary);
  std::vector<char> bytes(static_cast<std::size_t>(std::filesystem::file_size(file)));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  return bytes;
}

std::string sealed(std::span<const char> hdf5) {
  return block_for(hdf5).append(hdf5.data(), hdf5.size());
}

void write_sealed(std::span<const char> hdf5, const std::filesystem::path& file) {
  PendingFile pending(file);
  pending.write(sealed(hdf5));
  pending.commit();
}

std::span<const char> open_seal(std::span<const char> bytes, const std::string& name) {
  const std::string_view head(bytes.data(), std::min(bytes.size(), block_size));
  ERMINE_REQUIRE(head.starts_with(product),
                 "{} is not a table of ermine (it does not begin with \"{}{}\"), build one with "
                 "ermine spectra",
                 name, product, version);
  const std::string_view found =
      head.substr(product.size(), head.find('\n', product.size()) - product.size());
  ERMINE_REQUIRE(found == version,
                 "{} is a table of version {}, this program reads version {}, build it anew", name,
                 found.substr(0, 20), version);
  ERMINE_REQUIRE(bytes.size() > block_size, "{} is truncated, copy it again", name);
  const std::span<const char> hdf5 = bytes.subspan(block_size);
  ERMINE_REQUIRE(head == block_for(hdf5),
                 "{} is truncated or damaged (its checksum does not fit), copy it again", name);
  return hdf5;
}

}  // namespace ermine
