#include <ermine/error.hpp>
#include <ermine/version.hpp>

#include "processes.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace {

/// One line on standard error, whatever file names and keys the message quotes.
void show(const std::string& message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      line += c;
    } else {
      char code[5];
      std::snprintf(code, sizeof code, "\\x%02X", byte);
      line += c == '\n' ? "\\n" : code;
    }
  }
  ermine::terminal::note("ermine: error: {}\n", line);
}

/// Of several processes that fail alike, the first one says so.
int report(const std::string& message, int exit_code) {
  if (!ermine::cli::Processes::all_fail(message, show)) show(message);
  return exit_code;
}

/// A wrong command line: what is wrong with it, and whose help to read.
int report_misuse(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = &app;
  std::string words = "ermine";
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    words += " " + verb->get_name();
  }
  const auto below =
      verb->get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  if (verb->get_require_subcommand_min() == 0)
    return report(error.what() + (", see " + words) + " --help", 2);
  std::string names;
  for (const CLI::App* name : below) names += (names.empty() ? "" : ", ") + name->get_name();
  const auto extra = app.remaining(true);
  const std::string what = verb == &app ? "verb" : "subcommand";
  const std::string problem = extra.empty() ? "no " + what + " given"
                              : extra.front().starts_with('-')
                                  ? "unknown option " + extra.front()
                                  : "unknown " + what + " " + extra.front();
  return report(problem + ", give one of " + names + ", see " + words + " --help", 2);
}

/// Verbs whose work several processes share.
bool shared_by_processes(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  if (verbs.empty()) return false;
  const auto below = verbs.front()->get_subcommands();
  return verbs.front()->get_name() == "run" ||
         (!below.empty() && below.front()->get_name() == "scaling");
}

int run(int argc, char** argv) {
  CLI::App app(
      "Radiative heat transfer in hot gases by reciprocal Monte Carlo.\n\n"
      "  ermine new NAME          write a commented case file to start from\n"
      "  ermine check CASE.toml   check a case; memory, expected time and error\n"
      "  ermine run CASE.toml     solve a case and write its fields\n"
      "  ermine plot RESULT.h5    draw the result\n"
      "  ermine channel CASE.toml simulate a channel flow with radiation inside\n\n"
      "Case files are described in docs/formats/case.md; examples are in examples/.",
      "ermine");
  app.set_version_flag("--version", "ermine " ERMINE_VERSION);
  app.require_subcommand(1);
  ermine::cli::add_new(app);
  ermine::cli::add_check(app);
  ermine::cli::add_run(app);
  ermine::cli::add_plot(app);
  ermine::cli::add_channel(app);
  ermine::cli::add_spectra(app);
  ermine::cli::add_validate(app);
  ermine::cli::add_bench(app);
  ermine::cli::add_info(app);
  ermine::cli::add_completion(app);
  app.parse_complete_callback([&app] {
    if (ermine::cli::Processes::communicator().size() == 1 || shared_by_processes(app)) return;
    throw ermine::Error(
        "only ermine run and ermine bench scaling work in several processes, start the others by "
        "themselves");
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);  // prints help or version
    return ermine::terminal::finish("ermine");
  } catch (const CLI::ParseError& error) {
    return report_misuse(app, error);
  } catch (const ermine::cli::Failure& failure) {
    const int output = ermine::terminal::finish("ermine");
    return output != 0 ? output : failure.exit_code;
  } catch (const ermine::Error& error) {
    return report(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return report("not enough memory, use a coarser grid", 1);
  } catch (const std::exception& error) {
    return report("unexpected failure (" + std::string(error.what()) + "), please report it", 1);
  }
  return ermine::terminal::finish("ermine");
}

}  // namespace

int main(int argc, char** argv) {
  ermine::terminal::guard();
  try {
    ermine::cli::become_channel(argc, argv);
    const ermine::cli::Processes processes;
    return run(argc, argv);
  } catch (const ermine::Error& error) {
    show(error.what());
    return 1;
  }
}
