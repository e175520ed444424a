#pragma once

#include <string>

/// Files of the source tree that the tool carries inside (see ermine_embed in cmake/).
namespace ermine::embedded {

extern const std::string case01;
extern const std::string case02;
extern const std::string case03;
extern const std::string case04;
extern const std::string plot_script;

}  // namespace ermine::embedded
