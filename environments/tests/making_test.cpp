// Making environments without a network: what is replaced, what is kept, and what is removed again.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "environments/command.h"
#include "environments/folders.h"
#include "environments/tests/scene.h"
#include "support/exit_codes.h"

namespace plumbline::environments::making_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Answers the start of the protocol with the version of the package `tiny`, or with 0 where there is none.
constexpr const char* kAdapter = R"py(
import json, sys
try:
    import tiny
    version = tiny.VERSION
except ImportError:
    version = "0"
sys.stdin.readline()
fields = "dtype sizes strides offset values storage keys is_inference version requires_grad is_leaf grad_fn is_view base creation_meta grad".split()
thread = "inference_mode grad_mode included excluded".split()
print(json.dumps({"protocol": 3, "name": "tiny", "version": version, "profile": "torch-2.13", "fields": {f: "exact" for f in fields},
                  "thread": {t: "exact" for t in thread}, "errors": "kind", "ulps": 0}), flush=True)
sys.stdin.readline()
)py";

/// Writes a wheel: the package `tiny` with one module.
constexpr const char* kWheel = R"py(
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/tiny-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("tiny.py", 'VERSION = "1.0"\n')
    wheel.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
    wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr("tiny-1.0.dist-info/RECORD", "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n")
)py";

class Making : public scene::Scene {
 protected:
  Making() {
    write("adapters/adapter.py", kAdapter);
    // pip looks only into one folder here, and not at what this machine's settings say.
    for (const auto& [name, value] : settings) setenv(name.c_str(), value.c_str(), 1);
    unsetenv("PIP_INDEX_URL");
  }
  ~Making() override {
    for (const auto& [name, value] : settings) unsetenv(name.c_str());
  }

  Implementations known(const json& packages, const std::string& python = "3.0") const {
    return load(
        {{"implementations",
          {{{"name", "tiny"}, {"description", "it"}, {"command", {"adapters/adapter.py"}}, {"environment", "own"}}}},
         {"environments", {{{"name", "own"}, {"packages", packages}, {"python", python}}}}});
  }
  /// The exit code, with what was printed in `printed` and `errors`.
  int run(const std::string& action, const Implementations& all, const std::string& python = PLUMBLINE_PYTHON) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = env_command({action, {"own"}, python, ""}, all, places);
    printed = testing::internal::GetCapturedStdout();
    errors = testing::internal::GetCapturedStderr();
    return code;
  }
  bool said(const std::string& part) const { return (printed + errors).find(part) != std::string::npos; }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(places.environments)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  void make_wheel() const {
    write("wheel.py", kWheel);
    fs::create_directories(folder / "wheels");
    ASSERT_EQ(
        std::system(
            fmt::format("{} {}/wheel.py {}/wheels", PLUMBLINE_PYTHON, places.source.string(), folder.string()).c_str()),
        0);
  }

  std::map<std::string, std::string> settings{{"PIP_CONFIG_FILE", "/dev/null"},
                                              {"PIP_NO_INDEX", "1"},
                                              {"PIP_FIND_LINKS", folder / "wheels"},
                                              {"PIP_NO_CACHE_DIR", "1"}};
  std::string printed, errors;
};

using Names = std::vector<std::string>;

TEST_F(Making, an_environment_without_packages_needs_no_network_and_starts_its_implementation) {
  const Implementations all = known(json::array());
  EXPECT_EQ(run("add", all), 0) << errors;
  EXPECT_TRUE(said("own: tiny is here: tiny 0, profile torch-2.13")) << printed;
  EXPECT_EQ(why_not_here(*all.implementation("tiny"), places), "");
  EXPECT_EQ(entries(), (Names{".lock", "own", "own.1"}));
  EXPECT_TRUE(fs::exists(places.environments / "own" / kInstalled));
  EXPECT_EQ(run("remove", all), 0);
  EXPECT_EQ(entries(), (Names{".lock"}));
  EXPECT_EQ(run("remove", all), kExitNothing);
  EXPECT_TRUE(said("own is not here"));
}

TEST_F(Making, its_packages_are_installed_and_listed_with_their_versions) {
  make_wheel();
  const Implementations all = known({"tiny==1.0"});
  EXPECT_EQ(run("list", all), 0);
  EXPECT_TRUE(said("own          not here")) << printed;
  EXPECT_EQ(run("add", all), 0) << printed << errors;
  EXPECT_TRUE(said("own: tiny is here: tiny 1.0")) << printed;
  EXPECT_TRUE(said("  Successfully installed tiny-1.0")) << "pip's output is shown: " << printed;
  EXPECT_EQ(installed_in(places.environments / "own").value().at("tiny"), "1.0");
  EXPECT_FALSE(fs::exists(places.environments / "own/tmp"));
  EXPECT_EQ(run("list", all), 0);
  EXPECT_TRUE(said("own          here")) << printed;
  EXPECT_TRUE(said("MB  tiny 1.0\n")) << printed;
  EXPECT_EQ(run("list", known({"tiny==2.0"})), 0);
  EXPECT_TRUE(said("tiny 1.0 (pinned: 2.0)")) << printed;
}

TEST_F(Making, a_failed_installation_is_removed_and_the_previous_environment_stays) {
  ASSERT_EQ(run("add", known(json::array())), 0) << errors;
  std::ofstream(places.environments / "own/mark") << "";
  EXPECT_EQ(run("add", known({"tiny==3.0"})), kExitHarness);
  EXPECT_TRUE(said("own was not made: pip install failed with exit code 1: no index that pip knows")) << errors;
  EXPECT_TRUE(fs::exists(places.environments / "own/mark"));
  EXPECT_EQ(entries(), (Names{".lock", "own", "own.1"}));
  EXPECT_EQ(run("add", known(json::array())), 0) << errors;
  EXPECT_FALSE(fs::exists(places.environments / "own/mark"));
  EXPECT_EQ(entries(), (Names{".lock", "own", "own.2"}));
}

TEST_F(Making, without_a_network_it_says_what_to_check) {
  unsetenv("PIP_NO_INDEX");
  for (const char* name : {"PIP_RETRIES", "PIP_TIMEOUT"})
    setenv(name, name == std::string("PIP_TIMEOUT") ? "5" : "1", 1);
  setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple", 1);
  setenv("no_proxy", "127.0.0.1", 1);
  EXPECT_EQ(run("add", known({"tiny==1.0"})), kExitHarness);
  for (const char* name : {"PIP_RETRIES", "PIP_TIMEOUT", "PIP_INDEX_URL", "no_proxy"}) unsetenv(name);
  EXPECT_TRUE(said("pip reached no package index. Check the network")) << printed << errors;
  EXPECT_EQ(entries(), (Names{".lock"}));
}

TEST_F(Making, an_implementation_that_does_not_start_is_reported_and_its_environment_stays) {
  write("adapters/adapter.py", "raise SystemExit('tiny is broken')");
  EXPECT_EQ(run("add", known(json::array())), kExitDivergent);
  EXPECT_TRUE(said("the environment own is complete, but tiny does not start")) << errors;
  EXPECT_TRUE(said("tiny is broken")) << errors;
  EXPECT_EQ(entries(), (Names{".lock", "own", "own.1"}));
}

TEST_F(Making, a_missing_or_old_python_is_named) {
  EXPECT_EQ(run("add", known(json::array()), "/no/such/python"), kExitHarness);
  EXPECT_TRUE(said("'/no/such/python' cannot be started. Install Python")) << errors;
  EXPECT_EQ(run("add", known(json::array(), "99.1")), kExitHarness);
  EXPECT_TRUE(said("but the packages need 99.1 or later. Name a newer one with --python")) << errors;
  EXPECT_EQ(entries(), (Names{".lock"}));
}

TEST_F(Making, what_a_killed_installation_left_is_removed) {
  fs::create_directories(places.environments / "own.1/lib");
  fs::create_directories(places.environments / "own2.1");
  EXPECT_EQ(run("remove", known(json::array())), kExitNothing);
  EXPECT_EQ(entries(), (Names{".lock", "own2.1"}));
}

TEST_F(Making, a_folder_that_a_person_made_is_not_touched) {
  fs::create_directories(places.environments / "own/bin");
  for (const char* action : {"add", "remove"}) {
    try {
      env_command({action, {"own"}, PLUMBLINE_PYTHON, ""}, known(json::array()), places);
      ADD_FAILURE() << action;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("was not made by plumbline env; move it away"), std::string::npos);
    }
  }
  EXPECT_TRUE(fs::exists(places.environments / "own/bin"));
}

TEST_F(Making, versions_that_nothing_has_written_are_unknown) {
  fs::create_directories(places.environments / "own/bin");
  EXPECT_EQ(run("list", known({"tiny==1.0"})), 0);
  EXPECT_TRUE(said("tiny 1.0\n  its versions are unknown, because plumbline env did not make it")) << printed;
}

TEST_F(Making, two_at_a_time_are_refused) {
  const Lock lock(places.environments);
  try {
    const Lock second(places.environments);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("another plumbline env is at work"), std::string::npos);
  }
}

TEST_F(Making, an_unknown_environment_gets_the_nearest_names) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(env_command({"add", {"ovn"}, PLUMBLINE_PYTHON, ""}, known(json::array()), places), kExitUsage);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("unknown environment 'ovn'. Did you mean own? `plumbline env list` lists them"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace plumbline::environments::making_test
