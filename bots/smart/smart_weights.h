#ifndef TRIARCH_BOTS_SMART_SMART_WEIGHTS_H_
#define TRIARCH_BOTS_SMART_SMART_WEIGHTS_H_

namespace triarch {

// How much each part of a rating counts; 1 is what it was tuned for.
struct SmartWeights {
  double material = 1;
  double defence = 1;
  double tactics = 1;
  double position = 1;
  double risk = 1;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_SMART_WEIGHTS_H_
