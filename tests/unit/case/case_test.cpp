#include <ermine/case.hpp>
#include <ermine/device.hpp>
#include <ermine/error.hpp>
#include <ermine/files.hpp>

#include "case/section.hpp"
#include "files/hdf5.hpp"
#include "support/problems.hpp"
#include "support/scratch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

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

TEST(NearestWord, FindsMisspellingsAndBeginnings) {
  const std::vector<std::string_view> words{"cells", "periodic", "rays_per_cell"};
  EXPECT_EQ(nearest_word("cels", words), "cells");
  EXPECT_EQ(nearest_word("periodc", words), "periodic");
  EXPECT_EQ(nearest_word("rays", words), "rays_per_cell");
  EXPECT_EQ(nearest_word("colour", words), "");
}

}  // namespace
}  // namespace ermine
