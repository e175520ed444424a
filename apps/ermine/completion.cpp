#include "command_tree.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>

#include <memory>

namespace ermine::cli {

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion",
                                      "Print a script that completes words of ermine in a shell:\n"
                                      "  bash     source <(ermine completion bash)\n"
                                      "  zsh      source <(ermine completion zsh), after compinit");
  verb->add_option("shell", *shell, "The shell")
      ->required()
      ->type_name("bash|zsh")
      ->check(CLI::IsMember({"bash", "zsh"}));
  verb->callback([shell, &app] {
    const VerbEntry tool = command_tree(app);
    terminal::print("{}", *shell == "bash" ? bash_completion(tool) : zsh_completion(tool));
  });
  // For the installation.
  app.add_subcommand("man-page", "Print the manual page")->group("")->callback([&app] {
    terminal::print("{}", man_page(command_tree(app)));
  });
}

}  // namespace ermine::cli
