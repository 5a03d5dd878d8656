#include "bots/torch/torch_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bots/bots.h"
#include "core/any_state.h"

namespace triarch {
namespace {

using testing::HasSubstr;

std::string WhyNot(const BotSpec& spec) { return std::string(CheckBot(spec).message()); }

BotSpec Spec(std::map<std::string, std::string> options) {
  return {.name = "t", .bot = "torch", .options = std::move(options)};
}

TEST(TorchSettings, AreChecked) {
  EXPECT_EQ(WhyNot(Spec({{"model", "/m.pt"}, {"device", "cuda"}, {"cpuct", "1.5"}})), "");
  EXPECT_THAT(WhyNot(Spec({})), HasSubstr("needs its option model"));
  EXPECT_THAT(WhyNot(Spec({{"model", "m.pt"}})),
              HasSubstr("expected an absolute path, not \"m.pt\""));
  EXPECT_THAT(WhyNot(Spec({{"model", "/m.pt"}, {"device", "gpu"}})),
              HasSubstr("expected cpu or cuda, not \"gpu\""));
  EXPECT_THAT(WhyNot(Spec({{"model", "/m.pt"}, {"leaves", "0"}})),
              HasSubstr("expected a whole number from 1 to 1024"));
  EXPECT_THAT(WhyNot(Spec({{"model", "/m.pt"}, {"depth", "1"}})),
              HasSubstr("has no option \"depth\""));
}

// The error names the missing module or, in a build with LibTorch, the fault of the file.
TEST(TorchPlayer, ErrorsNameTheReason) {
  const BotSpec spec = Spec({{"model", "/no/such/model.pt"}});
  const absl::Status here = CheckBotHere(spec);
  const absl::Status made = MakePlayer(**FindGame("tri-d"), spec).status();
  EXPECT_EQ(IsPlayedHere("torch"), here.ok());
  if (here.ok()) {
    EXPECT_EQ(made.message(), "cannot read the model /no/such/model.pt");
  } else {
    EXPECT_EQ(here.message(), "this build has no torch bot: build with -DTRIARCH_TORCH=ON");
    EXPECT_EQ(made, here);
  }
}

}  // namespace
}  // namespace triarch
