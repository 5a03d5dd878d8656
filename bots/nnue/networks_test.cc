#include "bots/nnue/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "bots/bots.h"
#include "bots/nnue/bundled.h"
#include "bots/nnue/network_file.h"
#include "bots/nnue/random_network.h"
#include "core/any_state.h"
#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "core/features.h"
#include "core/games.h"

namespace triarch::nnue {
namespace {

using testing::HasSubstr;

BotSpec Paranoid(const std::string& net, const std::string& digest = "") {
  return {.name = "p", .bot = "paranoid", .options = {{"net", net}}, .digest = digest};
}

std::string WhyNot(std::string_view game, const BotSpec& spec) {
  return std::string(MakePlayer(**FindGame(game), spec).status().message());
}

// Returns the first move of a search of 200 nodes, and what each seat expects.
Decision Decide(std::string_view game, const BotSpec& spec) {
  const auto player = MakePlayer(**FindGame(game), spec).value();
  const AnyState state = AnyState::Start(game, "").value();
  player->NewGame(state.to_move(), 1);
  return player->Choose(state, state.LegalMoves(), {.nodes = 200});
}

TEST(Networks, BundledOnesAreWholeAndOfTheirGames) {
  size_t count = 0;
  for (const std::string_view bytes : BundledBytes()) {
    const auto network = ParseNetwork(bytes);
    ASSERT_TRUE(network.ok()) << network.status();
    EXPECT_LE(bytes.size(), 2u << 20);
    EXPECT_EQ(BundledNetwork((*network)->data().game)->digest(), (*network)->digest());
    ForEachGame(Games(), [&]<HasFeatures P>() {
      if (P::kInfo.name != (*network)->data().game) return false;
      EXPECT_EQ((*network)->data().features, FeatureCount(kGame<P>));
      ++count;
      return false;
    });
  }
  EXPECT_EQ(count, BundledBytes().size());
}

TEST(Networks, AFileChangesWhatASearchExpects) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.net";
  const auto random = Network::Make(RandomNetwork<tri_d::Position>(1)).value();
  std::ofstream(path, std::ios::binary) << NetworkBytes(*random);
  const Decision by_net = Decide("tri-d", Paranoid(path));
  const Decision by_hand = Decide("tri-d", Paranoid("none"));
  EXPECT_NE((*by_net.eval)[Seat::kFirst], (*by_hand.eval)[Seat::kFirst]);
  EXPECT_EQ((*by_net.eval)[Seat::kFirst], (*Decide("tri-d", Paranoid(path)).eval)[Seat::kFirst]);
}

TEST(Networks, TheBundledOneIsTheDefault) {
  for (const GameInfo* game : triarch::AllGames()) {
    ASSERT_NE(BundledNetwork(game->name), nullptr) << game->name;
    const auto expected = [&](const BotSpec& spec) {
      return (*Decide(game->name, spec).eval)[Seat::kFirst];
    };
    const auto by_default = expected({.name = "p", .bot = "paranoid"});
    const auto by_hand = expected(Paranoid("none"));
    EXPECT_EQ(by_default, expected(Paranoid("bundled"))) << game->name;
    EXPECT_NE(by_default, by_hand) << game->name;
    const auto maxn = expected({.name = "m", .bot = "maxn"});
    const std::string net = game->seats == 2 ? "bundled" : "none";
    EXPECT_EQ(maxn, expected({.name = "m", .bot = "maxn", .options = {{"net", net}}}));
  }
}

TEST(Networks, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      WhyNot("tri-d", Paranoid("a.net")),
      HasSubstr("option net: expected bundled, none or the absolute path of a network file, "
                "not \"a.net\""));
  const std::string path = folder / "a.net";
  EXPECT_THAT(WhyNot("tri-d", Paranoid(path)), HasSubstr("cannot read \"" + path));
  std::ofstream(path, std::ios::binary) << "not a network\n";
  EXPECT_THAT(WhyNot("tri-d", Paranoid(path)), HasSubstr("a.net\": line 1 is not"));
  const auto random = Network::Make(RandomNetwork<tri_d::Position>(1)).value();
  const std::string bytes = NetworkBytes(*random);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(WhyNot("tri-d", Paranoid(path)), "");
  EXPECT_EQ(WhyNot("tri-d", Paranoid(path, Sha256Hex(bytes))), "");
  EXPECT_THAT(WhyNot("tri-d", Paranoid(path, "00ff")),
              HasSubstr("has changed since the tournament began"));
  EXPECT_THAT(WhyNot("three-way", Paranoid(path)),
              HasSubstr("is a network of \"tri-d\" with 1599 features and 1 leads; expected one of "
                        "three-way with 2031 and 2"));
}

TEST(Networks, AreSharedByThoseWhoUseThemAtOnce) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.net";
  const auto random = Network::Make(RandomNetwork<tri_d::Position>(1)).value();
  std::ofstream(path, std::ios::binary) << NetworkBytes(*random);
  const std::string digest = Sha256Hex(NetworkBytes(*random));
  const auto first = ShareNetwork(path, digest).value();
  EXPECT_EQ(ShareNetwork(path, digest).value(), first);
}

}  // namespace
}  // namespace triarch::nnue
