#include "spectra.hpp"

#include "verbs.hpp"

namespace ermine::cli {

void add_spectra(CLI::App& app) {
  CLI::App* spectra = app.add_subcommand(
      "spectra", "Build tables of gas absorption and look at them (see docs/howto/spectra.md)");
  spectra->require_subcommand(1);
  add_spectra_from_snb(*spectra);
  add_spectra_from_lines(*spectra);
  add_spectra_info(*spectra);
  add_spectra_planck_mean(*spectra);
  add_spectra_emissivity(*spectra);
  add_spectra_plot(*spectra);
}

}  // namespace ermine::cli
