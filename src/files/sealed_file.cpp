#include "files/sealed_file.hpp"

#include "core/check.hpp"
#include "files/input_file.hpp"
#include "files/sha256.hpp"

#include <algorithm>
#include <fstream>

namespace ermine {
namespace {

std::string title(const Seal& seal) { return fmt::format("ermine {} ", seal.kind); }

std::string block_for(const std::string& checksum, const Seal& seal) {
  std::string block = fmt::format("{}{}\nsha256 {}\n", title(seal), seal.version, checksum);
  block.resize(seal_size, '\0');
  return block;
}

/// What can be said before the checksum is known.
void check_head(std::string_view head, const Seal& seal, const std::string& name) {
  const std::string product = title(seal);
  constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
  ERMINE_REQUIRE(head.starts_with(product),
                 "{} is not a {} of ermine (it does not begin with \"{}{}\"{}), {}", name,
                 seal.kind, product, seal.version,
                 head.starts_with(hdf5_signature)
                     ? "; it is HDF5 without a checksum, as ermine 0.1 and other programs write it"
                     : "",
                 seal.origin);
  const std::string_view found =
      head.substr(product.size(), head.find('\n', product.size()) - product.size());
  ERMINE_REQUIRE(found == std::to_string(seal.version),
                 "{} is a {} of version {}, this program reads version {}, {}", name, seal.kind,
                 found.substr(0, 20), seal.version, seal.origin);
}

void check_sum(std::string_view head, const std::string& checksum, const Seal& seal,
               const std::string& name) {
  ERMINE_REQUIRE(head == block_for(checksum, seal),
                 "{} is truncated or damaged (its checksum does not fit), copy it again", name);
}

std::string head_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  std::string head(seal_size, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

}  // namespace

std::string sealed(std::span<const char> hdf5, const Seal& seal) {
  return block_for(sha256(hdf5), seal).append(hdf5.data(), hdf5.size());
}

void write_sealed(std::span<const char> hdf5, const Seal& seal, const std::filesystem::path& file) {
  PendingFile pending(file);
  pending.write(block_for(sha256(hdf5), seal));
  pending.write({hdf5.data(), hdf5.size()});
  pending.commit();
}

std::span<const char> open_seal(std::span<const char> bytes, const Seal& seal,
                                const std::string& name) {
  const std::string_view head(bytes.data(), std::min(bytes.size(), seal_size));
  check_head(head, seal, name);
  ERMINE_REQUIRE(bytes.size() > seal_size, "{} is truncated, copy it again", name);
  const std::span<const char> hdf5 = bytes.subspan(seal_size);
  check_sum(head, sha256(hdf5), seal, name);
  return hdf5;
}

void write_seal(const PendingFile& file, const Seal& seal) {
  const std::string block = block_for(sha256_of_file(file.temporary(), seal_size), seal);
  std::fstream out(file.temporary(), std::ios::binary | std::ios::in | std::ios::out);
  out.write(block.data(), static_cast<std::streamsize>(block.size()));
  out.close();
  ERMINE_REQUIRE(out, "writing {} failed, check permissions and free space on the disk",
                 file.target().string());
}

void check_seal(const std::filesystem::path& file, const Seal& seal) {
  require_regular(file);
  const std::string head = head_of(file);
  check_head(head, seal, file.string());
  ERMINE_REQUIRE(std::filesystem::file_size(file) > seal_size, "{} is truncated, copy it again",
                 file.string());
  check_sum(head, sha256_of_file(file, seal_size), seal, file.string());
}

void check_seal_if_any(const std::filesystem::path& file) {
  require_regular(file);
  const std::string head = head_of(file);
  if (!head.starts_with("ermine ")) return;
  const std::string_view line(head.data(), std::min(head.find('\n'), head.size()));
  std::string block =
      fmt::format("{}\nsha256 {}\n", line, sha256_of_file(file, std::min(head.size(), seal_size)));
  block.resize(seal_size, '\0');
  ERMINE_REQUIRE(head == block,
                 "{} is truncated or damaged (its checksum does not fit), copy it again",
                 file.string());
}

}  // namespace ermine
