// Includes the text of every game (core/game/text.h).

#ifndef TRIARCH_CORE_TEXT_H_
#define TRIARCH_CORE_TEXT_H_

#include "core/three_way/text.h"
#include "core/tri_d/text.h"
#include "core/triumvirate/text.h"

#endif  // TRIARCH_CORE_TEXT_H_
