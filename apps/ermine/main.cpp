#include <ermine/error.hpp>
#include <ermine/version.hpp>

#include "verbs.hpp"

#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char** argv) {
  CLI::App app(
      "Radiative heat transfer in hot gases by reciprocal Monte Carlo.\n\n"
      "  ermine run CASE.toml     solve a case and write its fields\n"
      "  ermine plot RESULT.h5    draw the result\n\n"
      "Case files are described in docs/formats/case.md; examples are in examples/.",
      "ermine");
  app.set_version_flag("--version", "ermine " ERMINE_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return "ermine: error: " + std::string(error.what()) + ", see " + failed->get_name() +
           " --help\n";
  });
  ermine::cli::add_run(app);
  ermine::cli::add_plot(app);
  ermine::cli::add_validate(app);
  ermine::cli::add_bench(app);
  ermine::cli::add_info(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ermine::cli::Failure& failure) {
    return failure.exit_code;
  } catch (const ermine::Error& error) {
    std::fprintf(stderr, "ermine: error: %s\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "ermine: error: not enough memory, use a coarser grid\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ermine: error: unexpected failure (%s), please report it\n",
                 error.what());
    return 1;
  }
  // A full disk or closed pipe behind standard output must not pass for success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr, "ermine: error: cannot write to standard output, check the disk\n");
    return 1;
  }
  return 0;
}
