// Converts games to wire messages and back.

#ifndef TRIARCH_WORKER_WIRE_CODEC_H_
#define TRIARCH_WORKER_WIRE_CODEC_H_

#include "worker/session/file_spill.h"

namespace triarch {

// Returns the codec for the wire form of games.
GameCodec WireCodec();

}  // namespace triarch

#endif  // TRIARCH_WORKER_WIRE_CODEC_H_
