// Lists the bench positions and known perft counts of Tri-D chess.

#include "core/tri_d/bench.h"

namespace triarch::tri_d {

std::span<const uint64_t> StartPerft(GameTag<Position>) {
  static constexpr std::array<uint64_t, 4> kNodes = {40, 1'572, 64'648, 2'597'968};
  return kNodes;
}

// From random games from both starts after 30 to 80 plies.
std::span<const std::string_view> BenchPositions(GameTag<Position>) {
  static constexpr std::array<std::string_view, 6> kPositions = {
      "QL1,KL1,QL6,KL6 1pP1/1DD1/3B/1RQ1|1bnp/P1n1/4/1N2|4/4/d3/4|DD/2|DD/RK|rq/dd|1r/kd w - - "
      "2 16",
      "QL1,KL1,QL6,KL6 4/1BP1/PN1B/1K2|1np1/P2Q/4/b2P|2bn/3d/2q1/N3|D1/R1|DD/1R|r1/dd|kr/dd w k"
      "q - 0 21",
      "QL1,KL1,QL6,KL6 B3/4/4/B1b1|2Pp/R1n1/2PQ/Pp2|4/k3/qnb1/1P2|D1/1K|DD/1R|r1/dd|r1/1d w - -"
      " 6 26",
      "QL1,KL1,QL6,KL6 1pn1/1K2/4/1B2|1nNb/3P/2P1/3p|4/q1k1/b2p/pP2|D1/RQ|1D/BR|r1/d1|r1/1d w -"
      " - 4 31",
      "QL1,KL1,QL6,KL6 3P/1p2/p3/K3|2bp/4/P2P/B3|1b2/3n/2Rd/4|D1/QN|nD/1R|Nr/dd|1r/kd w - - 9 3"
      "6",
      "KL3,KL1,QL6,KL6 PqP1/1b1K/4/2B1|3b/Q3/4/1p1R|4/4/pn2/P3|PP/P1|2/1R|r1/2|1r/kd w - - 1 41",
  };
  return kPositions;
}

}  // namespace triarch::tri_d
