#ifndef TRIARCH_BOTS_MCTS_MCTS_OPTIONS_H_
#define TRIARCH_BOTS_MCTS_MCTS_OPTIONS_H_

namespace triarch {

struct MctsOptions {
  double exploration = 0.3;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MCTS_MCTS_OPTIONS_H_
