// The request `show`: how it is written, and which answers are refused.
#include <gtest/gtest.h>

#include "adapters/protocol/protocol.h"
#include "adapters/protocol/show.h"

namespace plumbline {
namespace {

/// Where an answer is refused; empty: nowhere.
std::string refused_at(const std::string& line) {
  try {
    decode_exhibit(line);
    return "";
  } catch (const ProtocolError& error) {
    return error.path;
  }
}

TEST(ProtocolShow, a_request_has_the_script_and_the_place) {
  Script script;
  script.names = {"x"};
  EXPECT_EQ(encode_show(7, script, 2, "a \"b\"\nc"),
            R"({"cmd":"show","id":7,"script":{"names":["x"],"statements":[]},"statement":2,"found":"a \"b\"\nc"})");
}

TEST(ProtocolShow, an_answer_has_a_file_and_what_became_of_it) {
  const ExhibitReply reply = decode_exhibit(
      R"({"id":7,"file":"import torch\n","fails":true,"output":"x: 1, 2\n","sections":[{"title":"a graph","text":"def f():\n"}]})");
  EXPECT_EQ(reply.id, 7);
  EXPECT_EQ(reply.exhibit.file, "import torch\n");
  EXPECT_TRUE(reply.exhibit.fails);
  EXPECT_EQ(reply.exhibit.output, "x: 1, 2\n");
  ASSERT_EQ(reply.exhibit.sections.size(), 1U);
  EXPECT_EQ(reply.exhibit.sections[0].title, "a graph");
  EXPECT_EQ(reply.exhibit.sections[0].text, "def f():\n");
  EXPECT_FALSE(reply.restart);
}

TEST(ProtocolShow, an_answer_without_a_file_says_why) {
  const ExhibitReply reply = decode_exhibit(R"({"id":1,"file":null,"why":"threads","sections":[],"restart":true})");
  EXPECT_EQ(reply.exhibit.file, "");
  EXPECT_EQ(reply.exhibit.why, "threads");
  EXPECT_TRUE(reply.restart);
}

TEST(ProtocolShow, bad_answers_are_refused_by_their_place) {
  EXPECT_EQ(refused_at(R"([])"), "$");
  EXPECT_EQ(refused_at(R"({"file":null,"why":"no","sections":[]})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"sections":[]})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"","sections":[]})"), "$.why");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"no","fails":true,"sections":[]})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":"","fails":true,"output":"","sections":[]})"), "$.file");
  EXPECT_EQ(refused_at(R"({"id":1,"file":3,"fails":true,"output":"","sections":[]})"), "$.file");
  EXPECT_EQ(refused_at(R"({"id":1,"file":"a","output":"","sections":[]})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":"a","fails":1,"output":"","sections":[]})"), "$.fails");
  EXPECT_EQ(refused_at(R"({"id":1,"file":"a","fails":true,"output":"","why":"no","sections":[]})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":"a","fails":true,"output":""})"), "$");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"no","sections":[{"title":"t"}]})"), "$.sections[0]");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"no","sections":[{"title":"a\nb","text":""}]})"),
            "$.sections[0].title");
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"no","sections":[{"title":"t","text":"","more":1}]})"),
            "$.sections[0]");
  std::string many = R"({"title":"t","text":""})";
  for (int i = 0; i < 16; ++i) many += R"(,{"title":"t","text":""})";
  EXPECT_EQ(refused_at(R"({"id":1,"file":null,"why":"no","sections":[)" + many + "]}"), "$.sections");
}

TEST(ProtocolShow, a_description_may_say_that_it_shows) {
  const std::string line = encode(Description{"mine", "1", "sound"});
  const std::string shows = line.substr(0, line.size() - 1) + R"(,"shows":true})";
  EXPECT_FALSE(decode_shows(line));
  EXPECT_TRUE(decode_shows(shows));
  EXPECT_EQ(decode_description(shows).name, "mine");
  EXPECT_THROW(decode_description(line.substr(0, line.size() - 1) + R"(,"shows":1})"), ProtocolError);
}

}  // namespace
}  // namespace plumbline
