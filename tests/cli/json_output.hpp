#pragma once

#include "run_tool.hpp"

#include <nlohmann/json.hpp>

namespace ermine::test {

using Json = nlohmann::json;

/// What a tool that ended well printed: one JSON object and nothing else.
inline Json parsed(const Finished& run) {
  expect_success(run);
  const Json object = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(object.is_object()) << "not one JSON object: " << run.out;
  return object;
}

}  // namespace ermine::test
