#include "overrides.hpp"

#include <ermine/case.hpp>

#include "arrays.hpp"

namespace ermine::python {
namespace {

/// JSON writes texts as TOML does.
std::string quoted(py::handle text) {
  return py::module_::import("json").attr("dumps")(text).cast<std::string>();
}

std::string toml(py::handle value, int depth = 0) {
  check_depth(depth);
  if (py::hasattr(value, "tolist")) return toml(value.attr("tolist")(), depth + 1);  // of numpy
  if (py::hasattr(value, "__fspath__")) return quoted(value.attr("__fspath__")());
  if (py::isinstance<py::str>(value)) return quoted(value);
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) {
    return py::repr(value).cast<std::string>();
  }
  std::string text;
  if (py::isinstance<py::dict>(value)) {
    for (const auto& [key, entry] : value.cast<py::dict>()) {
      text += (text.empty() ? "" : ", ") + quoted(py::str(key)) + " = " + toml(entry, depth + 1);
    }
    return "{ " + text + " }";
  }
  if (py::isinstance<py::sequence>(value)) {
    for (const auto& entry : value) text += (text.empty() ? "" : ", ") + toml(entry, depth + 1);
    return "[" + text + "]";
  }
  throw py::type_error("a value is of type " +
                       py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>() +
                       ", give a number, text, bool, list or dict");
}

/// A case with nothing in it but the options asked for.
constexpr const char* empty_case = R"(
temperature = 300
medium = { absorption_coefficient = 0 }
[grid]
x = { cells = 1, to = 1, periodic = true }
y = { cells = 1, to = 1, periodic = true }
z = { cells = 1, to = 1, periodic = true }
)";

}  // namespace

std::vector<std::string> overrides_of(const py::object& overrides, const py::kwargs& solver) {
  std::vector<std::string> all;
  if (py::isinstance<py::dict>(overrides)) {
    for (const auto& [key, value] : overrides.cast<py::dict>()) {
      all.push_back(py::str(key).cast<std::string>() + "=" + toml(value));
    }
  } else if (py::isinstance<py::str>(overrides)) {
    all.push_back(overrides.cast<std::string>());
  } else if (!overrides.is_none()) {
    for (const auto& text : overrides) all.push_back(text.cast<std::string>());
  }
  for (const auto& [key, value] : solver) {
    all.push_back("solver." + py::str(key).cast<std::string>() + "=" + toml(value));
  }
  return all;
}

void throw_without_set(const std::string& message) {
  constexpr std::string_view prefix = "--set ";
  throw Error(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
}

Options options_of(const py::kwargs& solver) {
  const auto overrides = overrides_of(py::none(), solver);
  return without_set([&] { return parse_case(empty_case, "options", overrides).options; });
}

}  // namespace ermine::python
