#include "core/utf8.hpp"

#include <cstdint>

namespace ermine {

std::size_t utf8_prefix(std::string_view bytes) {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<std::uint8_t>(bytes[i]);
    if (lead == 0) return i;
    const std::size_t length = lead < 0x80       ? 1
                               : lead >> 5 == 6  ? 2
                               : lead >> 4 == 14 ? 3
                               : lead >> 3 == 30 ? 4
                                                 : 0;
    if (length == 0 || i + length > bytes.size()) return i;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t j = 1; j < length; ++j) {
      const auto next = static_cast<std::uint8_t>(bytes[i + j]);
      if (next >> 6 != 2) return i;
      code = code << 6 | (next & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if ((length > 1 && code < smallest[length]) || surrogate || code > 0x10FFFF) return i;
    i += length;
  }
  return bytes.size();
}

bool is_utf8(std::string_view bytes) { return utf8_prefix(bytes) == bytes.size(); }

}  // namespace ermine
