// Converts games to the wire's messages and back.

#ifndef TRIARCH_WORKER_WIRE_CODEC_H_
#define TRIARCH_WORKER_WIRE_CODEC_H_

#include "worker/session/file_spill.h"

namespace triarch {

// Returns the codec of the wire's form of games.
GameCodec WireCodec();

}  // namespace triarch

#endif  // TRIARCH_WORKER_WIRE_CODEC_H_
