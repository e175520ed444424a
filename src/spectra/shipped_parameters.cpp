#include <ermine/narrow_band.hpp>

#include "core/embed.hpp"
#include "core/fp_guard.hpp"
#include "spectra/table_file.hpp"

#include <array>
#include <span>

// The files of data/, so that the library needs no path to find them at run time.
ERMINE_EMBED(h2o, ERMINE_DATA_DIR "/h2o.h5");
ERMINE_EMBED(co2, ERMINE_DATA_DIR "/co2.h5");
ERMINE_EMBED(co, ERMINE_DATA_DIR "/co.h5");
ERMINE_EMBED(ch4, ERMINE_DATA_DIR "/ch4.h5");

namespace ermine {

const NarrowBandParameters& shipped_parameters(Species species) {
  const FloatingPointGuard guard;
  const auto parsed = [](const char* begin, const char* end, const char* name) {
    return parse_narrow_band(std::span(begin, end), name);
  };
  // Read once, when first asked for.
  switch (species) {
    case Species::h2o: {
      static const auto h2o = parsed(ermine_h2o_begin, ermine_h2o_end, "data/h2o.h5");
      return h2o;
    }
    case Species::co2: {
      static const auto co2 = parsed(ermine_co2_begin, ermine_co2_end, "data/co2.h5");
      return co2;
    }
    case Species::co: {
      static const auto co = parsed(ermine_co_begin, ermine_co_end, "data/co.h5");
      return co;
    }
    case Species::ch4:
      break;
  }
  static const auto ch4 = parsed(ermine_ch4_begin, ermine_ch4_end, "data/ch4.h5");
  return ch4;
}

}  // namespace ermine
