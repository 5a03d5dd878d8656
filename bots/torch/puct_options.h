#ifndef TRIARCH_BOTS_TORCH_PUCT_OPTIONS_H_
#define TRIARCH_BOTS_TORCH_PUCT_OPTIONS_H_

namespace triarch {

struct PuctOptions {
  double cpuct = 1.0;  // how much the policy and what is little tried count against the values
  int leaves = 8;      // positions that a search asks for at a time
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_PUCT_OPTIONS_H_
