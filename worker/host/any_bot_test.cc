#include "worker/host/any_bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "bots/bots.h"
#include "bundle/bundle.h"
#include "core/any_state.h"
#include "core/base/temporary_folder.h"

namespace triarch {
namespace {

using testing::HasSubstr;

// A torch bot from a bundle whose files are in `folder`, or are still to be fetched.
class TorchBundleTest : public testing::Test {
 protected:
  TorchBundleTest() {
    std::ofstream(folder_ / "m.pt") << "no model";
    spec_.name = "net 1 (aaaaaaaa)";
    spec_.bot = std::string(kTorchBot);
    spec_.bundle = "net@1";
    spec_.options = {{"model", "m.pt"}, {"leaves", "4"}};
    spec_.digest = *DigestFolder(folder_.path());
  }
  std::string WhyNot(const BotSpec& spec, const BundleFolders& folders = nullptr) {
    const PlayerMaker make = MakePlayerMaker([](const std::string&) {}, {.folders = folders});
    return std::string(make(**FindGame("tri-d"), spec).status().message());
  }

  const TemporaryFolder folder_;
  BotSpec spec_;
};

TEST_F(TorchBundleTest, ChecksOptionsWithAndWithoutItsFiles) {
  for (const std::string& dir : {std::string(), folder_.path()}) {
    spec_.dir = dir;
    EXPECT_EQ(CheckAnyBot("tri-d", spec_), absl::OkStatus());
    BotSpec wrong = spec_;
    wrong.options["leaves"] = "0";
    EXPECT_THAT(std::string(CheckAnyBot("tri-d", wrong).message()), HasSubstr("option leaves"));
    wrong.options = {{"model", "m.pt"}, {"depth", "3"}};
    EXPECT_THAT(std::string(CheckAnyBot("tri-d", wrong).message()), HasSubstr("\"depth\""));
  }
}

// Checks that the model file is loaded or that the build lacks torch.
TEST_F(TorchBundleTest, LoadsTheModelFromItsFolder) {
  const std::string reason = IsPlayedHere(kTorchBot)
                                 ? "the model " + folder_.path() + "/m.pt: "
                                 : "this build has no torch bot: build with -DTRIARCH_TORCH=ON";
  const auto folders = [&](const std::string& digest) -> absl::StatusOr<std::string> {
    if (digest == spec_.digest) return folder_.path();
    return absl::NotFoundError("not here");
  };
  EXPECT_THAT(WhyNot(spec_, folders), HasSubstr(reason)) << "fetched";
  EXPECT_EQ(WhyNot(spec_), "bundles are not available here");
  spec_.dir = folder_.path();
  EXPECT_THAT(WhyNot(spec_), HasSubstr(reason)) << "with a folder";
  std::ofstream(folder_ / "m.pt") << "another model";
  EXPECT_THAT(WhyNot(spec_), HasSubstr("have changed since the tournament began"));
}

}  // namespace
}  // namespace triarch
