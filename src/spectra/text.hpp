#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ermine {

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

/// A finite number that fills all of the text, blanks aside; independent of the locale.
std::optional<double> finite_number(std::string_view text);

/// For messages: unprintable bytes shown as '?', long texts cut.
std::string printable(std::string_view text);

}  // namespace ermine
