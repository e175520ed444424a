#include "core/check.hpp"
#include "embedded.hpp"
#include "python.hpp"
#include "spectra.hpp"
#include "spectra_curves.hpp"
#include "terminal.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PlotOptions {
  CurveOptions curves;
  std::string output;
  bool json = false;
};

/// Python draws what it is told; without limits an axis fits its curves.
Json axis_json(const Axis& axis) {
  Json limits = {nullptr, nullptr};
  if (axis.limits.first < axis.limits.second) limits = {axis.limits.first, axis.limits.second};
  return {{"label", axis.label}, {"scale", axis.scale}, {"limits", limits}};
}

Json picture_json(const Picture& picture, const PlotOptions& options) {
  Json curves = Json::array();
  for (const Curve& curve : picture.curves) {
    curves.push_back({{"label", curve.label},
                      {"hue", curve.hue},
                      {"dash", curve.dash},
                      {"x", curve.x},
                      {"y", curve.y}});
  }
  return {{"file", options.output},         {"what", options.curves.what},
          {"title", picture.title},         {"ordered", picture.ordered},
          {"linewidth", picture.linewidth}, {"x", axis_json(picture.x)},
          {"y", axis_json(picture.y)},      {"curves", curves}};
}

void plot(const PlotOptions& options) {
  std::string ending = std::filesystem::path(options.output).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  ERMINE_REQUIRE(ending == ".png" || ending == ".svg" || ending == ".pdf",
                 "{} is not a name for a picture, end -o in .png, .svg or .pdf", options.output);
  check_output(options.output);
  const std::string picture = picture_json(make_picture(options.curves), options)
                                  .dump(-1, ' ', true, Json::error_handler_t::replace);
  run_python(embedded::plot_spectra_script, {}, {"matplotlib"}, picture);
  terminal::print("{}\n", options.json ? picture : "wrote " + options.output);
}

}  // namespace

void add_spectra_plot(CLI::App& spectra) {
  auto options = std::make_shared<PlotOptions>();
  CurveOptions& curves = options->curves;
  CLI::App* verb = spectra.add_subcommand("plot", "Draw properties of a gas (needs Python)");
  add_gas_options(*verb, curves.gas);
  verb->add_option("--what", curves.what, "k, spectrum (default), planck-mean or emissivity")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"k", "spectrum", "planck-mean", "emissivity"}));
  add_temperature(*verb, curves.temperature);
  add_length(*verb, curves.length);
  verb->get_option("--length")->description("First and last length of --what emissivity [m]");
  const auto wavenumber = [&](const char* name, double& value, const char* help) {
    verb->add_option(name, value, help)
        ->type_name("CM1")
        ->check(number_within(-1e-9, 1e6, "give 1/cm from 0 to 1e6"));
  };
  wavenumber("--wavenumber", curves.wavenumber_cm1, "Band of --what k, default: the strongest");
  wavenumber("--from", curves.from_cm1, "Start of --what spectrum [1/cm]");
  wavenumber("--to", curves.to_cm1, "End of --what spectrum [1/cm]");
  verb->add_option("-o,--output", options->output, "Picture to write: .png, .svg or .pdf")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Print the curves as one JSON object");
  verb->callback([options] { plot(*options); });
}

}  // namespace ermine::cli
