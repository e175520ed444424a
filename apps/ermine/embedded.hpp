#pragma once

#include <string>

/// Files of the source tree that the tool carries inside (see ermine_embed in cmake/).
namespace ermine::embedded {

extern const std::string case01;
extern const std::string case02;
extern const std::string case03;
extern const std::string case04;
extern const std::string case05;
extern const std::string case06;
extern const std::string case07;
extern const std::string case08;
extern const std::string case09;
extern const std::string case10;
extern const std::string case11;
extern const std::string case12;
extern const std::string burns_christon;
extern const std::string s1;
extern const std::string s2;
extern const std::string thick_slab;
extern const std::string thick_stretched;
extern const std::string isothermal_grey;
extern const std::string isothermal_mixture;
extern const std::string scattering_square;
extern const std::string mist_slab;
extern const std::string ash_steam;
extern const std::string flame_sheet;  ///< fields with sharp fronts, and their references
extern const std::string spherical_front;
extern const std::string wrinkled_front;
extern const std::string jet_flame;
extern const std::string mirror_furnace;
extern const std::string front_flame_sheet;
extern const std::string front_spherical_front;
extern const std::string front_wrinkled_front;
extern const std::string front_jet_flame;
extern const std::string front_mirror_furnace;
extern const std::string lines10;  ///< line-by-line reference curves
extern const std::string lines11;
extern const std::string lines12;
extern const std::string template_slab;  ///< of `ermine new`
extern const std::string template_box;
extern const std::string template_channel;
extern const std::string template_mixture;
extern const std::string plot_common_module;
extern const std::string plot_scaling_script;
extern const std::string plot_channel_script;
extern const std::string plot_script;
extern const std::string plot_error_script;
extern const std::string plot_ladder_script;
extern const std::string plot_spectra_script;
extern const std::string report_style;  ///< of the pages of --report, CSS

}  // namespace ermine::embedded
