// The commands: help, usage, exit codes and output.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/tests/command.h"

namespace {

using command::has;
using command::last_line;
using command::plumbline;
using command::Ran;

TEST(Command, every_help_text_has_examples) {
  const Ran ran = plumbline("--help");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "examples:"));
  EXPECT_EQ(plumbline("").code, 2);
  const Ran run = plumbline("run --help");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(has(run, "--on"));
  EXPECT_TRUE(has(run, "examples:"));
}

TEST(Command, prints_its_version) {
  const Ran ran = plumbline("--version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.text.starts_with("plumbline 0."));
}

TEST(Command, an_unknown_command_names_the_nearest_one) {
  const Ran ran = plumbline("chekc");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran, "Did you mean check"));
}

TEST(Command, a_missing_sibling_says_how_to_build_it) {
  const std::string folder = testing::TempDir() + "plumbline_alone";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(PLUMBLINE_BIN "/plumbline", folder + "/plumbline",
                             std::filesystem::copy_options::overwrite_existing);
  std::FILE* pipe = popen((folder + "/plumbline list rules 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  const std::string text(buffer.data(), std::fread(buffer.data(), 1, buffer.size(), pipe));
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 3);
  EXPECT_NE(text.find("plumbline-run is not built"), std::string::npos) << text;
  std::filesystem::remove_all(folder);
}

TEST(Run, passing_programs_exit_with_0) {
  const Ran ran = plumbline("run test_good.py");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_EQ(last_line(ran), "2 of 2 passed, 0 unsupported, 0 unspecified, 0 divergent");
  EXPECT_FALSE(has(ran, "test_view_shares_its_version"));
  EXPECT_TRUE(has(plumbline("run -v test_good.py"), "test_view_shares_its_version"));
}

TEST(Run, an_assert_that_fails_is_shown_with_its_line) {
  const Ran ran = plumbline("run test_bad.py test_good.py");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran, "test_bad.py:8: assert x._version == 2"));
  EXPECT_TRUE(has(ran, "signature: add_.Tensor/version"));
  EXPECT_EQ(last_line(ran), "2 of 3 passed, 0 unsupported, 0 unspecified, 1 divergent");
}

TEST(Run, a_flipped_rule_turns_a_program_red) {
  EXPECT_EQ(plumbline("run test_good.py --flip INF-03").code, 1);
  const Ran ran = plumbline("run test_good.py --flip INF-99");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran, "unknown rule 'INF-99'"));
}

TEST(Run, a_law_of_the_sweep_cannot_be_flipped_and_the_error_says_what_judges_by_it) {
  for (const std::string command : {"run test_good.py", "prove", "fuzz --on reference", "validate"}) {
    const Ran ran = plumbline(command + " --flip OP-03");
    EXPECT_EQ(ran.code, 2) << command << ran.text;
    EXPECT_TRUE(has(ran, "OP-03 is a law of the sweep")) << command;
    EXPECT_TRUE(has(ran, "`plumbline selftest --sweep`")) << command;
  }
}

TEST(Run, a_malformed_test_is_unsupported_and_the_others_run) {
  const Ran ran = plumbline("run test_malformed.py test_good.py");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran, "test_malformed.py:5:15: there is no op 'zeroes' in the op table"));
  EXPECT_TRUE(has(ran, "it cannot be read: line 5: "));
  EXPECT_EQ(last_line(ran), "2 of 3 passed, 1 unsupported, 0 unspecified, 0 divergent");
}

TEST(Run, programs_about_the_dispatcher_run_beside_others) {
  const Ran ran =
      plumbline("run test_good.py " PLUMBLINE_CORPUS "/dispatcher/test_autograd_entries.py --on reference,optimized");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_EQ(last_line(ran), "20 of 20 passed, 0 unsupported, 0 unspecified, 0 divergent");
  const std::string one =
      PLUMBLINE_CORPUS "/dispatcher/test_autograd_entries.py::test_implicit_is_used_before_autograd";
  EXPECT_EQ(last_line(plumbline("run " + one)), "1 of 1 passed, 0 unsupported, 0 unspecified, 0 divergent");
  const Ran explained = plumbline("explain " + one + " --on optimized");
  EXPECT_EQ(explained.code, 0);
  EXPECT_TRUE(has(explained, "        DSP-10   ")) << explained.text;
  EXPECT_TRUE(has(explained, "  optimized: pass")) << explained.text;
}

TEST(Run, a_misread_rule_of_the_dispatcher_makes_its_programs_fall) {
  const Ran ran = plumbline("run " PLUMBLINE_CORPUS "/dispatcher/test_autograd_entries.py --flip DSP-10");
  EXPECT_EQ(ran.code, 1);
  EXPECT_FALSE(has(ran, "0 divergent")) << ran.text;
}

TEST(Run, a_path_without_programs_is_an_error) {
  EXPECT_EQ(plumbline("run no_such_file.py").code, 2);
  EXPECT_TRUE(has(plumbline("run no_such_file.py"), "no_such_file.py"));
  const std::string empty = testing::TempDir() + "plumbline_empty";
  std::filesystem::create_directories(empty);
  const Ran ran = plumbline("run " + empty);
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran, "the folder has no programs"));
}

TEST(Run, usage_errors_exit_with_2_and_say_what_to_do) {
  EXPECT_EQ(plumbline("run").code, 2);
  EXPECT_EQ(plumbline("run test_good.py --jobs 0").code, 2);
  EXPECT_EQ(plumbline("run test_good.py --timeout 0").code, 2);
  EXPECT_EQ(plumbline("run test_good.py --nonsense").code, 2);
  EXPECT_TRUE(has(plumbline("run test_good.py --on nothing"), "unknown implementation 'nothing'"));
  EXPECT_TRUE(has(plumbline("run test_good.py --profile none"), "sound, rfc-0011, torch-2.13"));
  EXPECT_TRUE(has(plumbline("run test_good.py --json /no/such/folder/x"), "cannot write this file"));
  EXPECT_EQ(plumbline("run test_good.py --on process:/no/such/command").code, 2);
}

TEST(Run, json_does_not_depend_on_jobs) {
  const auto parsed = [](const std::string& jobs) {
    const Ran ran =
        plumbline("run test_good.py test_bad.py --on reference,reference --json - --jobs " + jobs, "2>/dev/null");
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(ran.text, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << ran.text;
    json.erase("timing");
    return json.dump();
  };
  EXPECT_EQ(parsed("1"), parsed("3"));
}

TEST(Run, require_all_wants_all) {
  EXPECT_EQ(plumbline("run test_good.py --require-all").code, 0);
  EXPECT_EQ(plumbline("run test_bad.py test_good.py --require-all").code, 1);
}

const std::string kFake =
    "run test_breakdowns.py --on 'process:python3 ../../../adapters/tests/data/fake.py' --jobs 1 --timeout 0.5";

TEST(Run, an_implementation_that_breaks_down_is_divergent_and_the_run_goes_on) {
  const Ran ran = plumbline(kFake);
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran, "signature: run/hang"));
  EXPECT_TRUE(has(ran, "signature: run/crash"));
  EXPECT_TRUE(has(ran, "not today"));
  EXPECT_EQ(last_line(ran), "0 of 3 passed, 1 unsupported, 0 unspecified, 2 divergent");
}

TEST(Run, an_interrupt_leaves_a_partial_report) {
  Ran ran;
  // The first program hangs. On a busy machine, a run may not have reached it when the interrupt comes.
  for (const char* seconds : {"0.8", "1.1", "1.5", "2", "2.7", "3.6", "5"}) {
    ran = plumbline(kFake, "2>&1", std::string("timeout --preserve-status -s INT ") + seconds);
    if (!has(ran, "3 of 3 were not run")) break;
  }
  EXPECT_EQ(ran.code, 130);
  EXPECT_TRUE(has(ran, "interrupted: 2 of 3 were not run:\n  test_breakdowns.py::test_crash on process:"));
  EXPECT_EQ(last_line(ran), "0 of 1 passed, 0 unsupported, 0 unspecified, 1 divergent");
}

TEST(Run, malformed_waivers_are_refused) {
  const std::string path = testing::TempDir() + "plumbline_cli_waivers.json";
  std::ofstream(path) << R"({"waivers": [{"id": "W-1"}]})";
  const Ran ran = plumbline("run test_good.py --waivers " + path);
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran, path + ": waiver 1 ('W-1') lacks 'rules'"));
}

TEST(Explain, shows_the_rules_that_decide) {
  const Ran ran = plumbline("explain test_good.py");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "kernels  Autograd -> ADInplaceOrView"));
  EXPECT_EQ(last_line(ran), "2 of 2 passed, 0 unsupported, 0 unspecified, 0 divergent");
}

TEST(Explain, and_run_have_the_same_verdicts_and_exit_codes) {
  for (const std::string programs : {"test_good.py", "test_bad.py", PLUMBLINE_CORPUS "/test_inference_tensors.py"})
    for (const std::string more : {" --profile torch-2.13", ""}) {
      const Ran run = plumbline("run " + programs + " --on reference,optimized" + more);
      const Ran explain = plumbline("explain " + programs + " --on optimized" + more);
      EXPECT_EQ(explain.code, run.code) << programs << more;
      EXPECT_EQ(last_line(explain), last_line(run)) << programs << more;
    }
}

TEST(Explain, a_failed_assert_exits_with_1) { EXPECT_EQ(plumbline("explain test_bad.py").code, 1); }

TEST(Explain, json_has_each_test_and_its_rules) {
  const Ran ran = plumbline("explain test_good.py --json", "2>/dev/null");
  EXPECT_EQ(ran.code, 0);
  const auto json = nlohmann::json::parse(ran.text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.text;
  EXPECT_EQ(json["tests"].size(), 2U);
  EXPECT_FALSE(json["tests"][0]["statements"][0]["rules"].empty());
}

TEST(Explain, shows_every_rule_of_one_line) {
  const Ran ran = plumbline("explain test_good.py::test_view_shares_its_version --line 7 --all");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "(agreed) "));
}

TEST(Explain, usage) {
  const Ran unknown = plumbline("explain test_good.py::test_view_shares_its_versoin");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "Did you mean test_view_shares_its_version"));
  const Ran no_line = plumbline("explain test_good.py --line 4000");
  EXPECT_EQ(no_line.code, 2);
  EXPECT_TRUE(has(no_line, "--line 4000: test_good.py has no statement there"));
  EXPECT_EQ(plumbline("explain test_malformed.py").code, 2);
  EXPECT_EQ(plumbline("explain no_such_file.py").code, 2);
  EXPECT_EQ(plumbline("explain test_good.py --profile nonsense").code, 2);
  EXPECT_EQ(plumbline("explain test_good.py --on nonsense").code, 2);
  EXPECT_TRUE(has(plumbline("explain --help"), "examples:"));
}

TEST(Run, one_test_of_a_file_can_be_named) {
  const Ran one = plumbline("run test_good.py::test_view_shares_its_version -v");
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_EQ(last_line(one), "1 of 1 passed, 0 unsupported, 0 unspecified, 0 divergent");
  const Ran unknown = plumbline("run test_good.py::test_view_shares_its_versoin");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "Did you mean test_view_shares_its_version"));
}

TEST(Tutorials, each_kind_of_statement_runs) {
  const Ran ran = plumbline("run ../../../docs/tutorials/test_words.py --on reference,optimized");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "14 of 14 passed"));
}

TEST(Tutorials, the_first_backend_gives_the_verdicts_that_its_page_shows) {
  const std::string tutorials = "../../../docs/tutorials/";
  const Ran ran = plumbline("run " + tutorials + "test_mine.py --on 'process:python3 " + tutorials + "my_backend.py'");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "the op view, or its arguments"));
  EXPECT_EQ(last_line(ran), "2 of 3 passed, 1 unsupported, 0 unspecified, 0 divergent");
}

TEST(List, a_law_is_a_rule_that_the_sweep_holds_operators_to) {
  const Ran whole = plumbline("list rules op-03");
  EXPECT_TRUE(has(whole, "OP-03\n  A result that is annotated as written is the argument"));
  EXPECT_TRUE(has(whole, "docs/rules/OP-03.md"));
  EXPECT_TRUE(has(whole, "plumbline selftest --sweep"));
  EXPECT_FALSE(has(whole, "--flip"));
  EXPECT_TRUE(has(plumbline("list laws OP-03"), "\n         misreading: A result that is annotated as written is"));
}

TEST(List, each_list_prints_text_and_json) {
  for (const char* what : {"rules", "laws", "programs", "ops", "profiles", "errors", "implementations"}) {
    EXPECT_EQ(plumbline(fmt::format("list {}", what)).code, 0) << what;
    const Ran json = plumbline(fmt::format("list {} --json", what));
    EXPECT_EQ(json.code, 0);
    const auto parsed = nlohmann::json::parse(json.text, nullptr, false);
    EXPECT_TRUE(parsed.is_array() && !parsed.empty()) << what;
  }
  EXPECT_EQ(plumbline("list nothing").code, 2);
}

TEST(List, ops_say_whether_the_reference_computes_them_itself) {
  const Ran text = plumbline("list ops");
  const auto all = nlohmann::json::parse(plumbline("list ops --json").text, nullptr, false);
  const auto own = std::ranges::count_if(all, [](const nlohmann::json& op) { return op["meaning"] == "own"; });
  EXPECT_GE(own, 300);
  EXPECT_EQ(last_line(text),
            fmt::format("{} ops: {} have a meaning of their own, {} are known by their schema only (docs/BY_SCHEMA.md)",
                        all.size(), own, static_cast<std::ptrdiff_t>(all.size()) - own));
  const auto meaning = [](const std::string& name) {
    return nlohmann::json::parse(plumbline("list ops " + name + " --json").text, nullptr, false)[0]["meaning"];
  };
  EXPECT_EQ(meaning("add.Tensor"), "own");
  EXPECT_EQ(meaning("sin.out"), "own");
  EXPECT_EQ(meaning("erfinv"), "by schema");
}

TEST(List, an_implementation_that_is_not_here_says_what_makes_it_available) {
  const auto listed = [](const std::string& options) {
    return plumbline("list implementations torch_xla reference" + options, "2>&1", "PLUMBLINE_ENVS=/nonexistent");
  };
  EXPECT_TRUE(has(listed(""), "not here: no environment 'torch_xla' here; make it: plumbline env add torch_xla\n"));
  const auto json = nlohmann::json::parse(listed(" --json").text, nullptr, false);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["here"], true);
  EXPECT_FALSE(json[0].contains("why"));
  EXPECT_EQ(json[1]["here"], false);
  EXPECT_EQ(json[1]["why"], "no environment 'torch_xla' here; make it: plumbline env add torch_xla");
}

TEST(List, a_gpu_is_here_or_the_reason_why_not_says_what_to_do) {
  const auto json = nlohmann::json::parse(plumbline("list implementations optimized-cuda --json").text, nullptr, false);
  ASSERT_EQ(json.size(), 1U);
  const std::string why = json[0].value("why", "");
  EXPECT_EQ(json[0]["here"], why.empty());
  const Ran asked = plumbline("run " PLUMBLINE_CORPUS "/test_chosen_gradients.py --on optimized-cuda");
  if (why.empty()) {
    EXPECT_EQ(asked.code, 0) << asked.text;
  } else {
    EXPECT_TRUE(has(asked, "'optimized-cuda' cannot run here: " + why)) << asked.text;
    EXPECT_TRUE(why.find("install") != std::string::npos || why.find("cmake --build") != std::string::npos ||
                why.find("nvidia-smi") != std::string::npos)
        << why;
  }
}

TEST(List, a_rule_is_printed_whole_with_its_programs_and_waivers) {
  const Ran rule = plumbline("list rules inf-06");
  EXPECT_EQ(rule.code, 0);
  EXPECT_TRUE(has(rule, "INF-06\n"));
  EXPECT_TRUE(has(rule, "test_inference_tensors.py::"));
  EXPECT_TRUE(has(rule, "W-08 torch-2.13: "));
  EXPECT_FALSE(has(rule, "INF-05\n"));
}

TEST(List, names_choose_entries_and_a_name_of_none_is_an_error) {
  const auto chosen = [](const std::string& what) {
    return nlohmann::json::parse(plumbline("list " + what + " --json").text, nullptr, false);
  };
  EXPECT_EQ(chosen("rules INF-06 VIEW-08").size(), 2U);
  for (const auto& rule : chosen("rules TLS")) EXPECT_TRUE(rule["id"].get<std::string>().starts_with("TLS-"));
  EXPECT_GE(chosen("ops 'add*'").size(), 3U);
  const Ran unknown = plumbline("list rules INF-99");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "`plumbline list rules` prints all of them"));
}

TEST(Table, workload_prints_text_and_json) {
  const Ran text = plumbline("table workload --on none");
  EXPECT_EQ(text.code, 0) << text.text;
  EXPECT_TRUE(has(text, "Every promise holds"));
  EXPECT_EQ(plumbline("table workload --on none --flip INF-02").code, 1);
  const Ran json = plumbline("table workload --on none --json");
  const auto parsed = nlohmann::json::parse(json.text, nullptr, false);
  ASSERT_TRUE(parsed.is_object()) << json.text;
  EXPECT_FALSE(parsed["workloads"].empty());
  EXPECT_EQ(plumbline("table workload --corpus /no/such/folder").code, 2);
}

TEST(Table, ideal_prints_text_and_json) {
  const Ran text = plumbline("table ideal");
  EXPECT_EQ(text.code, 0) << text.text;
  EXPECT_TRUE(has(text, "What does not change"));
  const Ran json = plumbline("table ideal --json");
  const auto parsed = nlohmann::json::parse(json.text, nullptr, false);
  ASSERT_TRUE(parsed.is_object()) << json.text;
  EXPECT_FALSE(parsed["observed"].empty());
  EXPECT_EQ(plumbline("table ideal --flip INF-03").code, 2);
  EXPECT_EQ(plumbline("table ideal --corpus /no/such/folder").code, 2);
}

TEST(Table, coverage_prints_text_and_json) {
  const Ran text = plumbline("table coverage");
  EXPECT_EQ(text.code, 0) << text.text;
  EXPECT_TRUE(has(text, "# Coverage: sentence → programs → rules"));
  const Ran json = plumbline("table coverage --json");
  EXPECT_EQ(json.code, 0);
  const auto parsed = nlohmann::json::parse(json.text, nullptr, false);
  EXPECT_TRUE(parsed.is_object() && !parsed["sentences"].empty());
  const Ran unknown = plumbline("table nothing");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "coverage"));
  const Ran elsewhere = plumbline("table coverage --corpus /no/such/folder");
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_TRUE(has(elsewhere, "/no/such/folder/sentences.json: cannot be read"));
}

}  // namespace
