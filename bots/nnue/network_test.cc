#include "bots/nnue/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bots/nnue/net_evaluator.h"
#include "bots/nnue/network_file.h"
#include "bots/nnue/random_network.h"
#include "core/base/random.h"
#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "core/games.h"
#include "core/text.h"

namespace triarch::nnue {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Net = std::shared_ptr<const Network>;

template <class P>
Net MakeRandom(uint64_t seed) {
  return Network::Make(RandomNetwork<P>(seed)).value();
}
std::string ErrorOf(const absl::StatusOr<Net>& network) {
  return network.ok() ? "none" : std::string(network.status().message());
}

// ---- The file.

TEST(Network, SurvivesItsFile) {
  const Net network = MakeRandom<tri_d::Position>(1);
  const std::string bytes = NetworkBytes(*network);
  const Net back = ParseNetwork(bytes).value();
  EXPECT_EQ(NetworkBytes(*back), bytes);
  EXPECT_EQ(back->data().game, "tri-d");
  EXPECT_EQ(back->data().feature_weights, network->data().feature_weights);
  EXPECT_EQ(back->data().hidden_bias, network->data().hidden_bias);
  EXPECT_THAT(back->data().output_bias, ElementsAre(77));
  EXPECT_EQ(back->digest(), Sha256Hex(bytes.substr(0, bytes.size() - 64)));
}

TEST(Network, KeepsWhatItsMakerSaid) {
  const std::string bytes = NetworkBytes(*MakeRandom<tri_d::Position>(1));
  std::string body = bytes.substr(0, bytes.size() - 64);
  body.insert(body.find('{') + 1, R"("made_by":"a test",)");
  const Net network = ParseNetwork(body + Sha256Hex(body)).value();
  EXPECT_THAT(network->description(), HasSubstr(R"("made_by":"a test")"));
  EXPECT_EQ(NetworkBytes(*network), body + Sha256Hex(body));
}

TEST(Network, IsReadFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.net";
  EXPECT_THAT(ErrorOf(ReadNetwork(path)), HasSubstr("cannot read"));
  std::ofstream(path, std::ios::binary) << "something else";
  EXPECT_THAT(ErrorOf(ReadNetwork(path)), HasSubstr("a.net\": line 1 is not"));
  std::ofstream(path, std::ios::binary) << NetworkBytes(*MakeRandom<tri_d::Position>(1));
  EXPECT_EQ(ErrorOf(ReadNetwork(path)), "none");
}

TEST(Network, ADamagedFileIsRefused) {
  const std::string bytes = NetworkBytes(*MakeRandom<tri_d::Position>(1));
  for (size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 300) {
    EXPECT_NE(ErrorOf(ParseNetwork(bytes.substr(0, cut))), "none") << cut;
    std::string changed = bytes;
    changed[cut] = static_cast<char>(changed[cut] ^ 4);
    EXPECT_NE(ErrorOf(ParseNetwork(changed)), "none") << cut;
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string body = bytes.substr(0, bytes.size() - 64);
    body.replace(body.find(from), from.size(), to);
    return ErrorOf(ParseNetwork(body + Sha256Hex(body)));
  };
  EXPECT_THAT(with("net 1", "net 2"), HasSubstr("another version"));
  EXPECT_THAT(with("\"game\"", "\"gone\""),
              HasSubstr("game, features, accumulator, hidden and leads"));
  EXPECT_THAT(with(":64,", ":96,"), HasSubstr("bytes; expected"));
  EXPECT_THAT(with(":64,", ":99999999999,"), HasSubstr("above the limits"));
  EXPECT_THAT(with(":16,", ":17,"), HasSubstr("hidden: expected 16"));
}

TEST(Network, ValuesAreWithinTheirBounds) {
  const auto with = [](auto change) {
    NetworkData data = RandomNetwork<tri_d::Position>(1);
    change(data);
    return ErrorOf(Network::Make(std::move(data)));
  };
  EXPECT_EQ(with([](NetworkData&) {}), "none");
  EXPECT_EQ(with([](NetworkData& data) { data.feature_weights[5] = 501; }),
            "feature_weights[5] is 501; expected −500 to 500");
  EXPECT_THAT(with([](NetworkData& data) { data.hidden_weights[0] = -7'501; }),
              HasSubstr("hidden_weights[0]"));
  EXPECT_THAT(with([](NetworkData& data) { data.output_weights.pop_back(); }),
              HasSubstr("15 numbers; expected 16"));
  EXPECT_THAT(with([](NetworkData& data) { data.accumulator = 48; }), HasSubstr("accumulator"));
  EXPECT_THAT(with([](NetworkData& data) { data.features = 0; }), HasSubstr("features"));
  EXPECT_THAT(with([](NetworkData& data) { data.leads = 3; }), HasSubstr("leads"));
}

// ---- Its values.

TEST(Network, ComputesWhatItsHeaderSays) {
  NetworkData data{.game = "triumvirate", .features = 2, .accumulator = 32, .leads = 2};
  data.feature_weights.assign(64, 0);
  data.feature_weights[0] = 100;       // feature 0, unit 0
  data.feature_weights[32 + 1] = 300;  // feature 1, unit 1: more than 1
  data.feature_bias.assign(32, 0);
  data.feature_bias[0] = -20;
  data.hidden_weights.assign(kHidden * 32, 0);
  data.hidden_weights[0] = kWeightOne;           // unit 0 to unit 0
  data.hidden_weights[32 + 1] = kWeightOne / 2;  // half of unit 1 to unit 1
  data.hidden_weights[2 * 32] = -kWeightOne;     // less than 0
  data.hidden_bias.assign(kHidden, 0);
  data.output_weights.assign(2 * kHidden, 0);
  data.output_weights[0] = kWeightOne;
  data.output_weights[1] = 2 * kWeightOne;
  data.output_weights[2] = 1'000;
  data.output_weights[kHidden] = -kWeightOne;
  data.output_bias = {0, kOne * kWeightOne};
  const Net network = Network::Make(data).value();
  const std::vector<Feature> view = {0, 1};
  std::vector<int16_t> accumulator(32);
  network->Begin(accumulator.data());
  const auto leads_after = [&](std::vector<Feature> lost, std::vector<Feature> gained) {
    FeatureList less;
    FeatureList more;
    for (const Feature feature : lost) less.Add(feature);
    for (const Feature feature : gained) more.Add(feature);
    network->Change(less, more, view, accumulator.data());
    return network->Leads(accumulator.data());
  };
  EXPECT_THAT(leads_after({}, {}), ElementsAre(0, kLeadOne));
  EXPECT_THAT(leads_after({}, {0}),
              ElementsAre(80 * kLeadOne / kOne, (kOne - 80) * kLeadOne / kOne));
  EXPECT_THAT(leads_after({}, {1}),
              ElementsAre((80 + kOne) * kLeadOne / kOne, (kOne - 80) * kLeadOne / kOne));
  EXPECT_THAT(leads_after({0}, {}), ElementsAre(kLeadOne, kLeadOne));
}

template <class P>
class NetEvaluatorTest : public testing::Test {};
using AllGames = testing::Types<triumvirate::Position, three_way::Position, tri_d::Position>;
TYPED_TEST_SUITE(NetEvaluatorTest, AllGames);

// Calls visit(position) along random games, some with a resignation.
template <class P, class Visit>
void PlayRandomGames(int games, Visit visit) {
  Random random(5);
  for (int game = 0; game < games; ++game) {
    P position = *Start(kGame<P>, "");
    for (int ply = 0; ply < 150 && !position.outcome(); ++ply) {
      visit(position);
      const auto moves = position.LegalMoves();
      if (ply == 40 && game % 3 == 2 && P::kInfo.seats == 3) {
        position.Resign(position.to_move());
      } else {
        position.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
      }
    }
  }
}

// Returns the leads of all seats.
template <class P>
PerSeat<PerSeat<int>> AllLeads(NetEvaluator<P>& evaluator, const P& position) {
  PerSeat<PerSeat<int>> leads;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    leads[SeatAt(i)] = evaluator.Leads(position, SeatAt(i));
  }
  return leads;
}

TYPED_TEST(NetEvaluatorTest, AnOrderOfPositionsDoesNotMatter) {
  const Net network = MakeRandom<TypeParam>(2);
  NetEvaluator<TypeParam> evaluator(network);
  PlayRandomGames<TypeParam>(20, [&](const TypeParam& position) {
    NetEvaluator<TypeParam> fresh(network);
    ASSERT_EQ(AllLeads(evaluator, position), AllLeads(fresh, position));
    // As a search does: children, and back.
    for (const auto move : position.LegalMoves()) {
      TypeParam child = position;
      child.Play(move);
      if (child.outcome()) continue;
      NetEvaluator<TypeParam> other(network);
      const Seat seat = child.to_move();
      ASSERT_EQ(evaluator.Leads(child, seat), other.Leads(child, seat));
      break;
    }
  });
}

TYPED_TEST(NetEvaluatorTest, SeatsStandEqualAtTheStart) {
  NetworkData data = RandomNetwork<TypeParam>(3);
  // But for whose turn it is, and where the kings and queens of Triumvirate stand.
  for (size_t feature = 0; feature < data.features; ++feature) {
    const bool is_turn =
        feature >= FlagFeature(kGame<TypeParam>) && feature < FlagFeature(kGame<TypeParam>) + 3u;
    const bool is_royal =
        TypeParam::kInfo.name == "triumvirate" && (feature % 32 == 3 || feature % 32 == 4);
    if (!is_turn && !is_royal) continue;
    std::fill_n(data.feature_weights.data() + feature * data.accumulator, data.accumulator,
                int16_t{0});
  }
  NetEvaluator<TypeParam> evaluator(Network::Make(data).value());
  const auto leads = AllLeads(evaluator, *Start(kGame<TypeParam>, ""));
  constexpr size_t kSeats = TypeParam::kInfo.seats;
  EXPECT_NE(leads[Seat::kFirst][Seat::kSecond], 0);
  for (size_t i = 1; i < kSeats; ++i) {
    for (size_t j = 1; j < kSeats; ++j) {
      EXPECT_EQ(leads[SeatAt(i)][SeatAt((i + j) % kSeats)], leads[Seat::kFirst][SeatAt(j)]);
    }
  }
}

// A network gives the same values on every machine: these are known.
TYPED_TEST(NetEvaluatorTest, ValuesAreTheSameEverywhere) {
  NetEvaluator<TypeParam> evaluator(MakeRandom<TypeParam>(4));
  Sha256 digest;
  PlayRandomGames<TypeParam>(10, [&](const TypeParam& position) {
    for (const PerSeat<int>& leads : AllLeads(evaluator, position)) {
      for (const int lead : leads) digest.AddText(std::to_string(lead));
    }
  });
  const std::string known = TypeParam::kInfo.name == "triumvirate" ? "8b48d9cbfa5b2616"
                            : TypeParam::kInfo.name == "three-way" ? "b00ab629ecaad5d7"
                                                                   : "57d0d7f72aecd24e";
  EXPECT_EQ(digest.Hex().substr(0, 16), known);
}

}  // namespace
}  // namespace triarch::nnue
