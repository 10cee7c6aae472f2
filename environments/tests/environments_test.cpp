// The file of implementations: what it refuses, and what is said of an implementation that cannot run here.
#include <fmt/format.h>

#include <cstdlib>

#include "adapters/adapter.h"
#include "environments/advice.h"
#include "environments/folders.h"
#include "environments/tests/scene.h"

namespace plumbline::environments::environments_test {
namespace {

using nlohmann::json;

json good() {
  return {{"implementations",
           {{{"name", "one"},
             {"description", "it"},
             {"command", {"adapters/one.py", "--path", "a b"}},
             {"environment", "own"}},
            {{"name", "eager"},
             {"description", "eager"},
             {"command", {"adapters/python/adapter.py", "--path", "eager"}},
             {"environment", "build"}}}},
          {"environments", {{{"name", "own"}, {"packages", {"torch==2.9.0"}}, {"python", "3.10"}}}}};
}

class File : public scene::Scene {
 protected:
  std::string refused(const json& file) { return refused_text(file.dump()); }
  std::string refused_text(const std::string& text) {
    try {
      load(text);
    } catch (const ImplementationsError& error) {
      return error.what();
    }
    return "accepted";
  }
  /// The message for the good file with one member of its first implementation, or environment, changed.
  std::string with(const std::string& list, const std::string& member, const json& value) {
    json file = good();
    file[list][0][member] = value;
    return refused(file);
  }
};

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
}

TEST_F(File, a_good_file_is_read_whole) {
  const Implementations all = load(good());
  ASSERT_EQ(all.implementations.size(), 2U);
  ASSERT_NE(all.implementation("one"), nullptr);
  EXPECT_EQ(all.implementation("one")->environment, "own");
  EXPECT_EQ(all.environment("own")->packages, std::vector<std::string>{"torch==2.9.0"});
  EXPECT_EQ(all.environment("own")->python, "3.10");
  EXPECT_EQ(all.implementation("own"), nullptr);
}

TEST_F(File, the_file_of_this_checkout_is_good) {
  const Implementations all = load_implementations(PLUMBLINE_SOURCE "/adapters/implementations.json");
  EXPECT_NE(all.implementation("python"), nullptr);
  EXPECT_NE(all.environment("torch_xla"), nullptr);
}

TEST_F(File, a_missing_file_is_named) {
  try {
    implementations_of(places);
    FAIL();
  } catch (const ImplementationsError& error) {
    EXPECT_TRUE(has(error.what(), "adapters/implementations.json: cannot be read"));
  }
}

TEST_F(File, what_is_not_json_is_refused_with_its_place) {
  EXPECT_TRUE(has(refused_text(R"({"implementations": [})"), "implementations.json: is not JSON"));
  EXPECT_TRUE(has(refused_text(R"({"implementations": [})"), "line 1, column 22"));
}

TEST_F(File, a_file_without_one_of_its_lists_is_refused) {
  EXPECT_TRUE(has(refused(json::array()), "is not an object"));
  EXPECT_TRUE(has(refused({{"implementations", json::array()}}), "lacks 'environments'"));
  EXPECT_TRUE(has(refused({{"implementations", 1}, {"environments", json::array()}}), "it must be a list"));
}

TEST_F(File, an_unknown_member_is_refused_with_its_entry) {
  EXPECT_TRUE(has(with("implementations", "enviroment", "own"),
                  "implementation 1 ('one') has an unknown member 'enviroment'; the members are name, description"));
  EXPECT_TRUE(has(with("environments", "package", "x"), "environment 1 ('own') has an unknown member 'package'"));
  json file = good();
  file["more"] = 1;
  EXPECT_TRUE(has(refused(file), "has an unknown member 'more'"));
}

TEST_F(File, a_missing_member_is_refused_with_the_form_of_an_entry) {
  for (const char* member : {"name", "description", "command", "environment"}) {
    json file = good();
    file["implementations"][1].erase(member);
    EXPECT_TRUE(has(refused(file), fmt::format("lacks '{}'; write it as {{\"name\": \"mine\"", member)));
  }
}

TEST_F(File, a_name_twice_is_refused) {
  EXPECT_TRUE(has(with("implementations", "name", "eager"),
                  "implementation 2 ('eager') has the name of an earlier entry; give each entry a name of its own"));
}

TEST_F(File, a_name_that_means_something_else_is_refused) {
  for (const char* name : {"reference", "optimized", "libtorch-9", "none"})
    EXPECT_TRUE(has(with("implementations", "name", name), "has a name that means something else"));
  EXPECT_TRUE(has(with("environments", "name", "build"), "has the name of the build's own Python"));
}

TEST_F(File, a_name_that_no_path_and_no_list_can_have_is_refused) {
  for (const char* name : {"a,b", "a b", "../a", "-a"})
    EXPECT_TRUE(has(with("implementations", "name", name), "a name has only letters, digits and")) << name;
  for (const char* name : {"a-b", "a.b", "a/b"})
    EXPECT_TRUE(has(with("environments", "name", name), "a name has only letters, digits and")) << name;
}

TEST_F(File, an_unknown_environment_is_refused) {
  EXPECT_TRUE(
      has(with("implementations", "environment", "other"),
          "implementation 1 ('one') has the unknown environment 'other'; write 'build', or add the environment"));
}

TEST_F(File, a_stage_that_does_not_stand_before_it_is_refused) {
  EXPECT_TRUE(
      has(with("implementations", "stages", json{"one"}),
          "implementation 1 ('one') has the unknown stage 'one'; name an implementation that stands before it"));
  EXPECT_TRUE(has(with("implementations", "stages", "python"), "it must be a list of strings"));
}

TEST_F(File, a_command_begins_with_a_script_of_the_checkout) {
  for (const json& command : {json::array(), json{"/bin/adapter.py"}, json{"python3", "adapter.py"}})
    EXPECT_TRUE(has(with("implementations", "command", command), "its first word must be a Python script"));
  EXPECT_TRUE(has(with("implementations", "command", "adapter.py"), "it must be a list of strings"));
}

TEST_F(File, a_package_without_one_version_is_refused) {
  for (const char* package :
       {"torch", "torch>=2.9", "torch==", "==2.9", "torch==2.*", "-r==x", "torch ==2", "a @ x==y"})
    EXPECT_TRUE(has(with("environments", "packages", {package}), "pin its version")) << package;
  EXPECT_EQ(with("environments", "packages", {"torch==2.9.0+cpu", "jax[cpu]==0.8.1"}), "accepted");
}

TEST_F(File, an_index_is_an_address_and_a_python_a_version) {
  EXPECT_TRUE(has(with("environments", "index", "download.pytorch.org"), "it must be an address"));
  EXPECT_TRUE(has(with("environments", "python", "python3"), "it must be the oldest version that will do"));
}

TEST_F(File, an_implementation_without_its_environment_says_how_to_make_it) {
  const Implementations all = load(good());
  write("adapters/one.py", "");
  EXPECT_EQ(why_not_here(*all.implementation("one"), places),
            "no environment 'own' here; make it: plumbline env add own");
  std::filesystem::create_directories(places.environments / "own/bin");
  std::ofstream(places.environments / "own/bin/python3") << "";
  EXPECT_EQ(why_not_here(*all.implementation("one"), places), "");
}

TEST_F(File, an_implementation_without_its_script_names_the_script) {
  EXPECT_TRUE(has(why_not_here(*load(good()).implementation("one"), places), "the checkout has no adapters/one.py"));
}

TEST_F(File, an_implementation_of_the_build_needs_the_build_s_pytorch) {
  const Implementations all = load(good());
  write("adapters/python/adapter.py", "");
  EXPECT_TRUE(has(why_not_here(*all.implementation("eager"), places), "the build has no PyTorch; run ./check"));
  std::ofstream(places.executables / "plumbline-python") << "";
  EXPECT_EQ(why_not_here(*all.implementation("eager"), places), "");
}

TEST_F(File, a_command_line_names_the_python_of_its_environment) {
  const Implementations all = load(good());
  EXPECT_EQ(command_line_of(*all.implementation("one"), places),
            fmt::format("'{0}/envs/own/bin/python3' '{0}/checkout/adapters/one.py' '--path' 'a b'", folder.string()));
  EXPECT_EQ(command_line_of(*all.implementation("eager"), places),
            fmt::format("'{}/bin/plumbline-python' '--path' 'eager'", folder.string()));
  NamedImplementation other = *all.implementation("one");
  other.environment = "build";
  EXPECT_TRUE(has(command_line_of(other, places), "'/the/build/python3' '"));
}

TEST(Places, PLUMBLINE_ENVS_moves_the_environments) {
  ASSERT_EQ(setenv("PLUMBLINE_ENVS", "/somewhere/else", 1), 0);
  EXPECT_EQ(places_here().python_of("own"), "/somewhere/else/own/bin/python3");
  ASSERT_EQ(unsetenv("PLUMBLINE_ENVS"), 0);
  EXPECT_EQ(places_here().python_of("own"), PLUMBLINE_SOURCE "/.envs/own/bin/python3");
}

TEST(MakeAdapter, an_unknown_name_gets_the_nearest_ones) {
  try {
    make_adapter("compile-inducter", {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(has(error.what(), "unknown implementation 'compile-inducter'. Did you mean compile-inductor"));
    EXPECT_TRUE(has(error.what(), "`plumbline list implementations` lists them"));
  }
}

TEST(MakeAdapter, a_name_without_its_environment_says_how_to_make_it) {
  ASSERT_EQ(setenv("PLUMBLINE_ENVS", "/nonexistent", 1), 0);
  try {
    make_adapter("torch_xla", {});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(has(error.what(), "'torch_xla' cannot run here: no environment 'torch_xla' here"));
  }
  ASSERT_EQ(unsetenv("PLUMBLINE_ENVS"), 0);
}

TEST(WithGraphs, the_runtime_on_cuda_records_graphs_and_others_stay) {
  EXPECT_EQ(with_graphs({"optimized-cuda-host", "reference", "optimized-cuda"}),
            (std::vector<std::string>{"optimized-cuda-host-graph", "reference", "optimized-cuda-graph"}));
}

TEST(WithGraphs, without_one_that_records_them_it_is_refused) {
  try {
    with_graphs({"reference", "optimized"});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "--graph: none of these implementations records graphs; optimized-cuda-host and optimized-cuda do");
  }
}

TEST(Advice, an_index_out_of_reach_comes_before_the_version_that_was_not_found) {
  EXPECT_TRUE(has(advice_for("Failed to establish a new connection: ...\nERROR: No matching distribution found for x"),
                  "pip reached no package index"));
  EXPECT_TRUE(has(advice_for("ERROR: No matching distribution found for x"), "Name another Python with --python"));
  EXPECT_TRUE(has(advice_for("OSError: [Errno 28] No space left on device"), "the disk is full"));
  EXPECT_TRUE(has(advice_for("something else"), "what it printed last says why"));
}

TEST(Advice, versions_of_python_are_compared_as_numbers) {
  EXPECT_TRUE(is_new_enough("3.11", "3.9"));
  EXPECT_FALSE(is_new_enough("3.9", "3.10"));
  EXPECT_TRUE(is_new_enough("3.10", "3.10"));
  EXPECT_TRUE(is_new_enough("4.0", "3.10"));
  EXPECT_TRUE(is_new_enough("2.7", ""));
}

TEST(Packages, names_are_compared_as_pip_compares_them) {
  EXPECT_EQ(normal("Torch_XLA"), "torch-xla");
  EXPECT_EQ(normal("a.-_b"), "a-b");
}

}  // namespace
}  // namespace plumbline::environments::environments_test
