// Fuzzes NPY files: an accepted array has its declared size and survives a round trip.

#include "selfplay/shard/npy.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::NpyArray> array = triarch::ReadNpy(text);
  if (!array.ok()) return;
  const std::string file = triarch::NpyHeader(array->type, array->shape) + std::string(array->data);
  const absl::StatusOr<triarch::NpyArray> again = triarch::ReadNpy(file);
  CHECK(again.ok() && again->type == array->type);
  CHECK(again->shape == array->shape && again->data == array->data);
}
