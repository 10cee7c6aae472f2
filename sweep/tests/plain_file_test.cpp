// Plain files of the laws that no operator of PyTorch breaks: what the file asks is what the law says.
#include "sweep/plain_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sweep/plain_call.h"
#include "sweep/tests/fake.h"

namespace plumbline::sweep {

namespace {

Operator copying(const std::string& name) {
  Parameter tensor;
  tensor.type = "Tensor";
  Operator op;
  op.name = name;
  op.schema = name + "(Tensor self) -> Tensor";
  op.arguments = op.results = {tensor};
  return op;
}

std::string file_of(const std::string& law, Setting setting, const PlainPeers& peers = {}) {
  const Operator op = copying("aten::t_copy");
  Finding finding;
  finding.op = op.full_name();
  finding.law = law;
  finding.what = "it differs";
  finding.experiment.op = finding.op;
  finding.experiment.setting = setting;
  Ingredient made;
  made.dtype = "float32";
  made.sizes = {2};
  made.strides = {1};
  made.values = {1, 2};
  finding.experiment.tensors = {made};
  finding.experiment.arguments = nlohmann::json::parse(R"([{"tensor": 0}])");
  return plain_file(op, peers, finding, {"1.0", "", "cpu"});
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(PlainFile, CopiesAreComparedWithTheirView) {
  const Operator view = copying("aten::t");
  const std::string file = file_of("OP-20", Setting::normal, {nullptr, &view});
  EXPECT_TRUE(has(file, "results = torch.ops.aten.t.default(t[0])\nexpected = elements(results)")) << file;
  EXPECT_TRUE(has(file, "results = torch.ops.aten.t_copy.default(t[0])\ngot = elements(results)")) << file;
}

TEST(PlainFile, ComplexElementsAndNumbersHaveBothParts) {
  Ingredient made;
  made.dtype = "complex64";
  made.sizes = {2};
  made.strides = {1};
  made.values = {{1, -2.5}, {0, NAN}};
  const std::string maker = plain_maker("tensors", {made});
  EXPECT_TRUE(has(maker, "[complex(1, -2.5), complex(0, float(\"nan\"))]")) << maker;
  Operator op = copying("aten::mul");
  op.overload = "Scalar";
  op.arguments.push_back(op.arguments[0]);
  EXPECT_EQ(plain_call(op, nlohmann::json::parse(R"([{"tensor": 0}, {"complex": [0, 1]}])")),
            "torch.ops.aten.mul.Scalar(t[0], complex(0, 1))");
}

TEST(PlainFile, KeysAreThoseOfANewTensor) {
  const std::string file = file_of("OP-21", Setting::normal);
  EXPECT_TRUE(has(file, "torch._C._dispatch_keys(tensor)")) << file;
  EXPECT_TRUE(has(file, "with torch.inference_mode(one.is_inference()):")) << file;
}

TEST(PlainFile, FakeTensorsAreMadeFromTheTensors) {
  const std::string file = file_of("OP-22", Setting::fake);
  EXPECT_TRUE(has(file, "with FakeTensorMode() as mode:\n    results = call([mode.from_tensor(one)")) << file;
}

TEST(PlainFile, AnAliasSharesMemoryWithAnArgument) {
  const std::string file = file_of("OP-23", Setting::normal);
  EXPECT_TRUE(has(file, "assert any(one.untyped_storage().data_ptr() == each.untyped_storage().data_ptr()")) << file;
}

TEST(PlainFile, ACrashIsCalledInItsSetting) {
  EXPECT_TRUE(file_of("crash", Setting::batched).ends_with("\n\nbatched()\n"));
  EXPECT_TRUE(file_of("crash", Setting::functionalized).ends_with("\n\nfunctionalized(tensors())\n"));
  EXPECT_TRUE(file_of("crash", Setting::backward).ends_with("\n\ngradients(-1)\n"));
  EXPECT_TRUE(has(file_of("crash", Setting::meta), "t = on_meta()\n"));
}

}  // namespace plumbline::sweep
