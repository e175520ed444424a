#include <ermine/error.hpp>

#include "embedded.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ermine::cli {
namespace {

namespace fs = std::filesystem;

struct Template {
  const char* kind;
  const char* what;
  const std::string* text;
};

constexpr std::array templates{
    Template{"slab", "gas between two plates, everything varies along x alone",
             &embedded::template_slab},
    Template{"box", "a furnace with six walls", &embedded::template_box},
    Template{"channel", "plane channel, walls across x with fine cells, periodic along y and z",
             &embedded::template_channel},
    Template{"mixture", "a duct of burnt gas, with fields of composition",
             &embedded::template_mixture}};

const Template* template_of(const std::string& kind) {
  const auto* found = std::find_if(templates.begin(), templates.end(),
                                   [&](const Template& one) { return kind == one.kind; });
  return found == templates.end() ? nullptr : found;
}

/// The template, with the name of the case in the commands that it tells.
std::string text_for(const Template& from, const std::string& stem) {
  constexpr std::string_view placeholder = "CASE";
  std::string text = *from.text;
  for (auto at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + stem.size())) {
    text.replace(at, placeholder.size(), stem);
  }
  return text;
}

void write_new(const fs::path& file, const std::string& text) {
  std::FILE* out = std::fopen(file.c_str(), "wx");  // x: only if there is none
  if (!out && errno == EEXIST) {
    throw Error(file.string() + " is already there, choose another name or remove it");
  }
  if (!out) {
    throw Error(fmt::format("cannot write {} ({}), choose another folder", file.string(),
                            std::strerror(errno)));
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) != 0 || !written) {
    std::error_code ignored;
    fs::remove(file, ignored);
    throw Error("cannot write " + file.string() + ", check the disk");
  }
}

void new_case(const std::string& name, const std::string& kind) {
  fs::path file = name;
  if (file.extension() != ".toml") file += ".toml";
  const std::string stem = file.stem().string();
  const bool printable =
      std::none_of(stem.begin(), stem.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  const bool dots = stem.find_first_not_of('.') == std::string::npos;
  if (!file.has_filename() || stem == ".toml" || dots || !printable) {
    throw Error("'" + name + "' cannot be the name of a case, give one such as furnace");
  }
  const Template* from = template_of(kind.empty() ? stem : kind);
  if (!from) from = template_of("box");
  write_new(file, text_for(*from, stem));
  terminal::print("{}: {}\n\n", file.string(), from->what);
  const bool plain = file.string().find_first_of(" \t'\"$&;()*?<>|`\\") == std::string::npos;
  terminal::print("  ermine check {0}    what it will take\n  ermine run {0}      solves it\n",
                  plain ? file.string() : "'" + file.string() + "'");
}

}  // namespace

void add_new(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  auto kind = std::make_shared<std::string>();
  std::string kinds;
  std::string help = "Write a commented case file to start from:";
  std::vector<std::string> names;
  for (const Template& one : templates) {
    names.emplace_back(one.kind);
    kinds += (kinds.empty() ? "" : "|") + names.back();
    help += fmt::format("\n  {:<8} {}", one.kind, one.what);
  }
  CLI::App* verb = app.add_subcommand("new", help);
  verb->add_option("name", *name, "Name of the case; NAME.toml is written")
      ->required()
      ->type_name("NAME");
  verb->add_option("--kind", *kind, "What to start from (default: NAME if it is one, else box)")
      ->type_name(kinds)
      ->check(CLI::IsMember(names));
  verb->callback([name, kind] { new_case(*name, *kind); });
}

}  // namespace ermine::cli
