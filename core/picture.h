// Includes the pictures of every game (core/game/picture.h).

#ifndef TRIARCH_CORE_PICTURE_H_
#define TRIARCH_CORE_PICTURE_H_

#include "core/three_way/picture.h"
#include "core/tri_d/picture.h"
#include "core/triumvirate/picture.h"

#endif  // TRIARCH_CORE_PICTURE_H_
