// Lists the bench positions and known perft counts of Three-Way Chess.

#include "core/three_way/bench.h"

namespace triarch::three_way {

// The counts of rules §7.
std::span<const uint64_t> StartPerft(GameTag<Position>) {
  static constexpr std::array<uint64_t, 6> kNodes = {31,      865,        22'356,
                                                     645'078, 18'526'519, 524'291'825};
  return kNodes;
}

// From random games after 30 to 90 plies, with all three players still in. In half of them, a king
// is attacked.
std::span<const std::string_view> BenchPositions(GameTag<Position>) {
  static constexpr std::array<std::string_view, 6> kPositions = {
      "rn1b1knr/1pqpp1p1/1b6/p1p2p1p/X/X 8/8/8/4n3/1nbqkb1r/r2pp1pp/1p6/p7/X 8/8/8/3b4/8/8/8/2q"
      "5/rn3bn1/pppkp1pr/5p1p/8 W ---k-- --- 3 11",
      "1rb2k1r/ppppbp1p/4n3/n7/X/X 8/6b1/8/8/rn1q2n1/1pppkpp1/p3p2r/8/8/8/1p6/8 8/8/8/2p5/8/8/8"
      "/2r5/r2q1bn1/1ppnpk2/3p4/p4p1p W ------ --- 0 15",
      "rnbk4/1p1p1p2/p7/4p2n/8/4r3/3b4/8/8/8/8/3p4 X/1nbk1b2/r2p4/p1p2ppp/1q6/X 8/8/7q/8/8/6p1/"
      "8/8/r1b1kbnr/1p1n1p2/4p2p/6p1 W ------ --- 3 19",
      "rn3b1r/pp1p2p1/2p1p2p/5n1k/X/X X/8/3r1n2/1r1p4/p3p1kp/X X/8/8/2n5/8/1r2k2r/6pp/1p3p2/p1p"
      "pp3 W ------ --1 0 23",
      "r5n1/2p1p3/pk6/np3p2/8/8/2r5/p7/X 8/8/3b4/3p4/r5n1/3ppp1r/pp6/1q1k2p1/8/8/8/2p5 X/8/8/6n"
      "1/4p3/r5kr/bb5p/4p3/pp3p2 W ------ --- 6 27",
      "1rb5/p1p4r/3p3p/1k1b2p1/8/2n5/8/8/8/7q/8/8 8/8/8/7b/8/3pp1p1/5k2/2pr3p/1n6/8/5b2/8 X/4q3"
      "/8/8/4p3/r7/pp6/k7/4ppp1 W ------ --- 2 31",
  };
  return kPositions;
}

}  // namespace triarch::three_way
