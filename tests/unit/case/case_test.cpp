#include <ermine/case.hpp>
#include <ermine/device.hpp>
#include <ermine/error.hpp>
#include <ermine/files.hpp>

#include "case/section.hpp"
#include "files/hdf5.hpp"
#include "support/problems.hpp"
#include "support/scratch.hpp"
#include "support/spectra.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

namespace ermine {
namespace {

const std::string slab = R"(
title = "a slab"
temperature = "500 + 1000*x"
medium = { absorption_coefficient = 2.0 }
[grid]
x = { cells = 4, to = 2.0 }
y = { cells = 2, to = 1.0, periodic = true }
z = { faces = [0, 0.25, 1], periodic = true }
[walls]
x_low = { temperature = 500 }
x_high = { temperature = "600 + 100*z", emissivity = 0.5, reflection = "specular" }
[solver]
rays_per_cell = 1e3
)";

TEST(ParseCase, ReadsEveryPart) {
  const Case c = parse_case(slab, "slab.toml");
  EXPECT_EQ(c.title, "a slab");
  EXPECT_EQ(c.text, slab);
  EXPECT_EQ(c.grid.cells(0), 4u);
  EXPECT_TRUE(c.grid.periodic(2));
  EXPECT_DOUBLE_EQ(c.temperature[1], 500 + 1000 * 0.75);
  EXPECT_EQ(c.walls.temperature(Face::x_low, 3), 500);
  EXPECT_DOUBLE_EQ(c.walls.temperature(Face::x_high, 2), 600 + 100 * 0.625);
  EXPECT_EQ(c.walls.emissivity(Face::x_high, 0), 0.5);
  EXPECT_EQ(c.walls.reflection(Face::x_high), Reflection::specular);
  EXPECT_EQ(std::get<GreyMedium>(c.medium).absorption_coefficient(0), 2.0);
  EXPECT_EQ(c.options.rays_per_cell, 1000);
  EXPECT_EQ(c.options.rays_per_wall_face, automatic_rays);
  EXPECT_EQ(c.output.name, "slab");
}

TEST(ParseCase, ReadsWhatUpdatesTakeOver) {
  EXPECT_EQ(parse_case(slab, "slab.toml").options.temporal, Temporal::continued);
  const Case c =
      parse_case(slab, "slab.toml", {"solver.temporal=difference", "solver.forgetting=0.1"});
  EXPECT_EQ(c.options.temporal, Temporal::difference);
  EXPECT_EQ(c.options.forgetting, 0.1);
  for (const char* other : {"solver.method=classic", "solver.target_error=0.1",
                            "solver.unbiased=true", "solver.forgetting=0"}) {
    EXPECT_THROW(parse_case(slab, "slab.toml", {"solver.temporal=difference", other}), Error)
        << other;
  }
  EXPECT_THROW(parse_case(slab, "slab.toml", {"solver.temporal=averaged"}), Error);
}

TEST(ParseCase, OverridesReplaceAndAreEchoed) {
  const Case c = parse_case(slab, "slab.toml",
                            {"solver.rays_per_cell=50", "temperature=300+x", "output.name=other",
                             "grid.x.cells=8", "walls.x_low.emissivity=0.25"});
  EXPECT_EQ(c.options.rays_per_cell, 50);
  EXPECT_EQ(c.grid.cells(0), 8u);
  EXPECT_DOUBLE_EQ(c.temperature[0], 300.125);
  EXPECT_EQ(c.output.name, "other");
  EXPECT_EQ(c.walls.emissivity(Face::x_low, 0), 0.25);
  // The echoed text is a case of its own that reads back the same.
  const Case again = parse_case(c.text, "slab.toml");
  EXPECT_EQ(again.options.rays_per_cell, 50);
  EXPECT_EQ(again.temperature, c.temperature);
  EXPECT_EQ(again.walls.emissivity(Face::x_low, 0), 0.25);
}

TEST(Options, AreThoseOfTheNet) {
  for (const Method other : {Method::classic, Method::multigrid}) {
    Options options;
    set_method(options, other);
    EXPECT_NE(options, Options{});
    set_method(options, Method::net);
    EXPECT_EQ(options, Options{});
  }
  EXPECT_EQ(method_of(Options{}), Method::net);
}

TEST(ParseCase, SolverDefaultsAreThoseOfTheOptions) {
  const std::string silent = slab.substr(0, slab.find("[solver]"));
  for (const char* solver : {"", "[solver]\n", "[solver]\nmethod = \"net\"\n"}) {
    EXPECT_EQ(parse_case(silent + solver, "slab.toml").options, Options{}) << solver;
  }
}

TEST(ParseCase, MethodSetsTheSwitches) {
  for (const Method method :
       {Method::classic, Method::texture, Method::sorted, Method::multigrid, Method::net}) {
    const Case c =
        parse_case(slab, "slab.toml", {fmt::format("solver.method={}", name_of(method))});
    EXPECT_EQ(method_of(c.options), method) << name_of(method);
  }
}

/// Wherever the method stands, the switches count.
TEST(ParseCase, SwitchesOverrideTheMethod) {
  const std::string switches =
      "sampler = \"random\"\nfield_access = \"global\"\nlevels = 3\nsteps_per_level = 8\n"
      "coarse_temperature = \"mean_fourth_power\"\n";
  const std::string method = "method = \"multigrid\"\n";
  for (const std::string& solver : {method + switches, switches + method}) {
    const Options read = parse_case(slab + solver, "slab.toml").options;
    EXPECT_EQ(read.sampler, RaySampler::random);
    EXPECT_EQ(read.field_access, FieldAccess::global);
    EXPECT_EQ(read.levels, 3);
    EXPECT_EQ(read.steps_per_level, 8);
    EXPECT_EQ(read.coarse_temperature, CoarseTemperature::mean_fourth_power);
    EXPECT_EQ(method_of(read), std::nullopt);
  }
}

TEST(ParseCase, ReadsTheBackend) {
  EXPECT_EQ(parse_case(slab, "slab.toml", {"solver.backend=cpu"}).options.backend, Backend::cpu);
  EXPECT_EQ(parse_case(slab, "slab.toml", {"solver.backend=auto"}).options.backend,
            Backend::automatic);
}

std::string message_of(const std::vector<std::string>& overrides) {
  try {
    parse_case(slab, "slab.toml", overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseCase, ErrorsNameTheOverride) {
  EXPECT_EQ(message_of({"solver.batches=-1"}),
            "--set solver.batches=-1: solver.batches is -1, give a whole number from 0 to 1000000");
  EXPECT_EQ(message_of({"grid.x.cels=1"}),
            "--set grid.x.cels=1: unknown key 'grid.x.cels', did you mean 'cells'?");
}

TEST(ParseCase, CudaWithoutADeviceIsRefusedWithReasonAndRemedy) {
  if (!devices().empty()) GTEST_SKIP() << "there is a GPU: hide it with CUDA_VISIBLE_DEVICES=";
  EXPECT_EQ(message_of({"solver.backend=cuda"}),
            "--set solver.backend=cuda: solver.backend is \"cuda\" but there is no GPU to use: " +
                why_no_device() + "; or choose \"cpu\" or \"auto\"");
}

TEST(ParseCase, ErrorsNameFileAndLine) {
  try {
    parse_case(slab + "seeed = 3\n", "slab.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "slab.toml:14: unknown key 'solver.seeed', did you mean 'seed'?");
  }
}

TEST(ParseCase, FieldsFromFiles) {
  const test::ScratchFolder scratch;
  std::ofstream(scratch / "profile.csv") << "x,T\n0,300\n1,500\n2,1500\n";
  std::vector<double> field;
  for (int i = 0; i < 16; ++i) field.push_back(0.1 * i);
  Hdf5Writer out(scratch / "k.h5");
  out.write("/k", std::vector<std::size_t>{2, 2, 4}, field);
  PendingFile file(scratch / "k.h5");
  const std::vector<char> bytes = out.bytes();
  file.write({bytes.data(), bytes.size()});
  file.commit();
  const Case c = parse_case(slab, scratch / "slab.toml",
                            {"temperature={profile=\"profile.csv\", axis=\"x\"}",
                             "medium.absorption_coefficient={hdf5=\"k.h5\", dataset=\"/k\"}"});
  EXPECT_DOUBLE_EQ(c.temperature[0], 350);
  EXPECT_DOUBLE_EQ(c.temperature[3], 1250);
  EXPECT_EQ(std::get<GreyMedium>(c.medium).absorption_coefficient(5), 0.5);
}

const std::string sooty_case = R"(temperature = "500 + 500*x"
[medium]
gas = "CO"
pressure = 1e5
band_width_cm1 = 500
quadrature_points = 2
soot = { volume_fraction = "1e-6*x" }
[grid]
x = { cells = 4, to = 2.0 }
y = { cells = 1, to = 1.0, periodic = true }
z = { cells = 1, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 500 }
x_high = { temperature = 600 }
)";

TEST(ParseCase, ReadsParticlesBesideAnyGasOrAlone) {
  const std::string text = sooty_case + R"([medium.particles.mist]
absorption = "0.2*x"
scattering = 3
asymmetry = 0.8
[medium.particles.coal]
number_density = 2e9
diameter = 1e-5
absorption_efficiency = 0.9
)";
  const Case c = parse_case(text, "particles.toml");
  ASSERT_EQ(c.particles.size(), 2u);
  const double of_coal = 0.9 * 2e9 * std::numbers::pi / 4 * 1e-10;
  const auto& gas = std::get<GasMedium>(c.medium);
  EXPECT_EQ(gas.component(gas.component_count() - 1).gas, "particles");
  ASSERT_EQ(gas.particles().size(), 4u);
  EXPECT_NEAR(gas.particles()[3], 0.2 * 1.75 + of_coal, 1e-12);
  const auto scattering = c.tracer().scattering();
  ASSERT_EQ(scattering.size(), 1u);
  EXPECT_EQ(scattering[0].coefficient, std::vector<double>{3.0});
  EXPECT_EQ(scattering[0].asymmetry, 0.8);
  // Composition and soot may change: what absorbs besides them stays.
  const GasMedium other = gas.with_soot({1e-7}).with_mole_fraction({Species::co, {0.5}});
  EXPECT_EQ(other.particles(), gas.particles());
  EXPECT_EQ(other.component(other.component_count() - 1).amount.size(), 4u);
  EXPECT_EQ(other.soot()->volume_fraction, std::vector<double>{1e-7});

  std::string alone = text;
  const auto begin = alone.find("gas =");
  alone.erase(begin, alone.find("[grid]") - begin);
  const Case dust = parse_case(alone, "dust.toml");
  EXPECT_NEAR(std::get<GreyMedium>(dust.medium).absorption_coefficient(1), 0.15 + of_coal, 1e-12);
  // Together with what absorbs the same everywhere.
  const Case coupled = parse_case(text, "particles.toml", {"medium.particles.mist.absorption=0.4"});
  EXPECT_EQ(std::get<GasMedium>(coupled.medium).particles().size(), 1u);
}

TEST(ParseCase, ReadsSootBesideAGasOrAlone) {
  const auto soot_of = [](const std::vector<std::string>& overrides) {
    const Case c = parse_case(sooty_case, "sooty.toml", overrides);
    const auto& gas = std::get<GasMedium>(c.medium);
    return gas.component(gas.component_count() - 1);
  };
  const GasComponent soot = soot_of({});
  EXPECT_EQ(soot.gas, "soot");
  ASSERT_EQ(soot.amount.size(), 4u);
  EXPECT_DOUBLE_EQ(soot.amount[3], 7 * soot.amount[0]);
  const auto strength = [](const GasComponent& of) {
    return of.amount.back() * static_cast<double>(of.rows.back());
  };
  EXPECT_NEAR(strength(soot_of({"medium.soot.constant=14"})) / strength(soot), 2, 1e-6);
  EXPECT_NEAR(strength(soot_of({"medium.soot={volume_fraction=2e-6, n=1.75, k=1.03}"})) /
                  strength(soot_of({"medium.soot={volume_fraction=2e-6}"})),
              soot_constant(1.75, 1.03) / 7.0, 1e-6);

  std::string alone = sooty_case;
  const auto begin = alone.find("gas =");
  alone.erase(begin, alone.find("soot =") - begin);
  const Case c = parse_case(alone, "alone.toml");
  EXPECT_EQ(std::get<GasMedium>(c.medium).component_count(), 1u);

  const test::ScratchFolder scratch;
  std::ofstream(scratch / "soot.csv") << "x,fv\n0,0\n2,4e-6\n";
  const Case read = parse_case(sooty_case, scratch / "sooty.toml",
                               {"medium.soot.volume_fraction={profile=\"soot.csv\", axis=\"x\"}"});
  const GasComponent from_profile = std::get<GasMedium>(read.medium).component(1);
  EXPECT_NEAR(from_profile.amount[1] / from_profile.amount[0], 3, 1e-12);
}

TEST(ParseCase, RefusesSootThatCannotBe) {
  const auto message = [](const std::vector<std::string>& overrides) -> std::string {
    try {
      parse_case(sooty_case, "sooty.toml", overrides);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({"medium.soot.volume_fraction=-1e-6"}),
            "--set medium.soot.volume_fraction=-1e-6: medium.soot.volume_fraction is -1e-06, give "
            "a volume fraction from 0 to 1");
  EXPECT_EQ(message({"medium.soot.volume_fraction=x"}),
            "--set medium.soot.volume_fraction=x: medium.soot.volume_fraction is 1.25 at x = 1.25, "
            "y = 0.5, z = 0.5, give a volume fraction from 0 to 1");
  EXPECT_NE(message({"medium.soot.volume_fraction=nan"}).find("volume_fraction is nan, give a"),
            std::string::npos);
  EXPECT_NE(message({"medium.soot.volume_fraction=[1e-6]"}).find("a number, a formula in quotes"),
            std::string::npos);
  EXPECT_NE(message({"medium.soot.fraction=1e-6"}).find("unknown key 'medium.soot.fraction'"),
            std::string::npos);
  EXPECT_NE(message({"medium.soot={constant=7}"}).find("missing key 'medium.soot.volume_fraction'"),
            std::string::npos);
  EXPECT_NE(message({"medium.soot.constant=-1"}).find("medium.soot.constant is -1"),
            std::string::npos);
  EXPECT_EQ(message({"medium.soot={volume_fraction=1e-6, n=1.7, k=1, constant=7}"}),
            "--set medium.soot={volume_fraction=1e-6, n=1.7, k=1, constant=7}: "
            "medium.soot.constant cannot stand beside n and k (they give it), remove it or them");
  EXPECT_NE(message({"medium.soot.n=1.75"}).find("missing key 'medium.soot.k'"), std::string::npos);
  EXPECT_NE(message({"medium.soot={volume_fraction=1e-6, n=0, k=1}"}).find("medium.soot.n is 0"),
            std::string::npos);
  for (const char* line : {"absorption_coefficient = 1.0", "table = \"table.h5\""}) {
    std::string other = sooty_case;
    const auto begin = other.find("gas =");
    other.replace(begin, other.find("soot =") - begin, std::string(line) + "\n");
    try {
      parse_case(other, "other.toml");
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("other.toml:4: medium.soot cannot stand beside"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(ParseCase, NamesTheKeysOfARefractiveIndexThatIsTooLarge) {
  test::expect_error(
      [] {
        parse_case(sooty_case, "sooty.toml",
                   {"medium.soot={volume_fraction=1e-6, n=0.01, k=1.4142}"});
      },
      {"medium.soot.n = 0.01 and medium.soot.k = 1.4142 give a constant of", "more than 1000"});
}

TEST(ParseCase, AdvisesNoTableForSoot) {
  std::string alone = sooty_case;
  const auto begin = alone.find("gas =");
  alone.erase(begin, alone.find("soot =") - begin);
  const auto message = [&](const std::string& text, const std::string& change) -> std::string {
    try {
      parse_case(text, "sooty.toml", {change});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  for (const char* change : {"temperature=6000", "walls.x_low.temperature=6000"}) {
    EXPECT_NE(message(alone, change).find("K), change it"), std::string::npos) << change;
    EXPECT_EQ(message(alone, change).find("table"), std::string::npos) << change;
    EXPECT_NE(message(sooty_case, change).find("give a table"), std::string::npos) << change;
  }
}

TEST(NearestWord, FindsMisspellingsAndBeginnings) {
  const std::vector<std::string_view> words{"cells", "periodic", "rays_per_cell"};
  EXPECT_EQ(nearest_word("cels", words), "cells");
  EXPECT_EQ(nearest_word("periodc", words), "periodic");
  EXPECT_EQ(nearest_word("rays", words), "rays_per_cell");
  EXPECT_EQ(nearest_word("colour", words), "");
}

}  // namespace
}  // namespace ermine
