// Programs of two devices: how they say where a tensor is made, and where it goes.
#include <gtest/gtest.h>

#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"
#include "language/trailer.h"

namespace plumbline::program {
namespace {

const std::string kOnDevices = "import torch\n\n\ndef test_a(device):\n    x = torch.tensor([1.0], device=\"cpu\")\n";

program::Test on_devices(const std::string& line) {
  return lower(parse(kOnDevices + "    " + line + "\n", "a.py")).at(0);
}
std::string shown_on_devices(const std::string& line) { return show(on_devices(line).script.statements.at(1)); }

TEST(Devices, a_tensor_is_made_on_the_cpu) {
  const program::Test test = on_devices("y = torch.tensor([2.0], device=device)");
  EXPECT_TRUE(std::get<MakeTensor>(test.script.statements.at(0).kind).on_cpu);
  EXPECT_FALSE(std::get<MakeTensor>(test.script.statements.at(1).kind).on_cpu);
  EXPECT_TRUE(has_two_devices(test.script));
}

TEST(Devices, a_factory_names_the_cpu_or_none) {
  EXPECT_EQ(shown_on_devices("y = torch.ones([2], device=\"cpu\")"), "%1 = ones([2], None, None, 'cpu', None)");
  EXPECT_EQ(shown_on_devices("y = torch.ones([2], device=device)"), "%1 = ones([2], None, None, None, None)");
}

TEST(Devices, conversions_name_either) {
  const std::string end = ", None, False, False, None)";
  EXPECT_EQ(shown_on_devices("y = x.cpu()"), "%1 = to.dtype_layout(%0, None, None, 'cpu'" + end);
  EXPECT_EQ(shown_on_devices("y = x.to(\"cpu\")"), "%1 = to.dtype_layout(%0, None, None, 'cpu'" + end);
  EXPECT_EQ(shown_on_devices("y = x.to(device)"), "%1 = to.dtype_layout(%0, None, None, 'device'" + end);
  EXPECT_EQ(shown_on_devices("y = x.to(device, torch.float64)"),
            "%1 = to.dtype_layout(%0, float64, None, 'device'" + end);
  EXPECT_EQ(shown_on_devices("y = torch.zeros_like(x, device=device)"),
            "%1 = zeros_like(%0, None, None, 'device', None, None)");
}

TEST(Devices, a_program_of_one_device_drops_it) {
  const auto tests =
      lower(parse("import torch\n\n\ndef test_a(device):\n    x = torch.ones([2], device=device)\n"
                  "    y = torch.zeros_like(x, device=device)\n",
                  "a.py"));
  EXPECT_EQ(show(tests.at(0).script.statements.at(1)), "%1 = zeros_like(%0, None, None, None, None, None)");
  EXPECT_FALSE(has_two_devices(tests.at(0).script));
}

TEST(Devices, is_cpu_reads_the_keys) {
  const program::Test test = on_devices("assert x.is_cpu is True");
  EXPECT_EQ(std::get<Read>(test.script.statements.at(1).kind).field, Field::keys);
}

TEST(Devices, a_script_of_two_devices_is_printed_as_it_was) {
  const std::string text = kOnDevices +
                           "    y = x.to(device=device)\n    z = torch.ones([2], device=device)\n"
                           "    w = torch.zeros_like(y, device=\"cpu\")\n";
  const program::Test test = lower(parse(text, "a.py")).at(0);
  EXPECT_EQ(show(lower(parse(print(raise(test)), "a.py")).at(0).script), show(test.script));
  EXPECT_EQ(print(raise(test)), text);
}

TEST(Devices, a_printed_program_asks_for_another_device) {
  EXPECT_NE(with_trailer(kOnDevices).find("default=\"cuda\""), std::string::npos);
  EXPECT_NE(with_trailer("import torch\n\n\ndef test_a(device):\n    x = torch.ones([1], device=device)\n")
                .find("default=\"cpu\""),
            std::string::npos);
}

TEST(Devices, each_factory_says_where) {
  EXPECT_EQ(error_of(kOnDevices + "    y = torch.ones([2])\n"),
            "a.py:6:15: ones is given no device, in a file that uses two. Write device=device or device=\"cpu\".");
  EXPECT_EQ(error_of(kOnDevices + "    y = torch.tensor([2.0])\n"),
            "a.py:6:15: torch.tensor is given no device, in a file that uses two. Write device=device or "
            "device=\"cpu\".");
}

}  // namespace
}  // namespace plumbline::program
