#include "files/input_file.hpp"

#include "core/check.hpp"
#include "core/memory.hpp"

#include <fstream>
#include <system_error>

namespace ermine {

namespace fs = std::filesystem;

void require_regular(const fs::path& file, std::string_view what) {
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  const bool there = type != fs::file_type::not_found && type != fs::file_type::none;
  ERMINE_REQUIRE(
      type == fs::file_type::regular, "cannot read {}{}{}{}, check that {} exists and may be read",
      what, what.empty() ? "" : " ", file.string(),
      there ? type == fs::file_type::directory ? " (it is a folder)"
                                               : " (it is a pipe or a device, which may never end)"
            : "",
      what.empty() ? "the file" : "it");
}

std::vector<char> read_bytes(const fs::path& file) {
  require_regular(file);
  std::ifstream in(file, std::ios::binary);
  const auto size = fs::file_size(file);
  ERMINE_REQUIRE(static_cast<double>(size) < 0.8 * physical_memory(),
                 "{} has {:.1f} GB, this machine has {:.1f} GB of memory, give another file",
                 file.string(), static_cast<double>(size) / 1e9, physical_memory() / 1e9);
  std::vector<char> bytes(static_cast<std::size_t>(size));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  return bytes;
}

}  // namespace ermine
