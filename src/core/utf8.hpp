#pragma once

#include <string_view>

namespace ermine {

/// Whether the bytes are well-formed UTF-8 without NUL (RFC 3629): no overlong forms, no
/// surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view bytes);

/// Length of the longest beginning that is UTF-8 in that sense.
std::size_t utf8_prefix(std::string_view bytes);

}  // namespace ermine
