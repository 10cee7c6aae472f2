// For tests of environments: a folder with a checkout of its own, its file of implementations, and its adapters.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "adapters/implementations.h"

namespace plumbline::environments::scene {

/// Each test has a folder, which goes with it.
class Scene : public testing::Test {
 protected:
  Scene() {
    std::filesystem::create_directories(places.source / "adapters");
    std::filesystem::create_directories(places.executables);
  }
  ~Scene() override { std::filesystem::remove_all(folder); }

  void write(const std::filesystem::path& path, const std::string& text) const {
    std::filesystem::create_directories((places.source / path).parent_path());
    std::ofstream(places.source / path) << text;
  }
  Implementations load(const std::string& text) const {
    write("adapters/implementations.json", text);
    return implementations_of(places);
  }
  Implementations load(const nlohmann::json& json) const { return load(json.dump()); }

  std::filesystem::path folder = testing::TempDir() + "plumbline_env_" + std::to_string(getpid()) + "_" +
                                 testing::UnitTest::GetInstance()->current_test_info()->name();
  Places places{folder / "checkout", folder / "bin", folder / "envs", "/the/build/python3"};
};

}  // namespace plumbline::environments::scene
