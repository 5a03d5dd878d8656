// Holds a small integer network that estimates how far each seat leads the others.

#ifndef TRIARCH_BOTS_NNUE_NETWORK_H_
#define TRIARCH_BOTS_NNUE_NETWORK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/features.h"
#include "core/game/seat.h"

// A network looks at a position once from each seat's view (core/game/features.h), always with the
// same weights. It adds up a row of weights per feature to an *accumulator*, which a move changes
// only a little, and computes from that the seat's lead over each other seat, in turn order:
//   a = clamp(sum of the features' rows + feature_bias, 0, kOne)
//   h = clamp(hidden_weights · a + hidden_bias, 0, kOne · kWeightOne)
//   leads = (output_weights · h + output_bias · kWeightOne) · kLeadOne / (kOne · kWeightOne²)
// All of it is integer arithmetic without overflow, so a file gives the same values everywhere.
namespace triarch::nnue {

inline constexpr int kOne = 255;          // an activation of 1
inline constexpr int kWeightOne = 256;    // a weight of 1 behind the accumulator
inline constexpr int kLeadOne = 600;      // hundredths of a pawn for an output of 1
inline constexpr int kFeatureMax = 500;   // of a feature's weight: 64 of them fit in an int16
inline constexpr int kWeightMax = 7'500;  // of another weight
inline constexpr size_t kAccumulatorMax = 1'024;
inline constexpr size_t kHidden = 16;
inline constexpr std::string_view kMagic = "triarch-net 1\n";  // the first line of a file
inline constexpr size_t kDigestDigits = 64;                    // its end
inline constexpr size_t kLanes = 32;  // the size of an accumulator is a multiple of it

// The numbers of a network, row by row.
struct NetworkData {
  std::string game;  // "tri-d"
  size_t features = 0;
  size_t accumulator = 0;
  size_t leads = 0;                           // other seats: 1 or 2
  std::vector<int16_t> feature_weights = {};  // [features][accumulator]
  std::vector<int16_t> feature_bias = {};     // [accumulator]
  std::vector<int16_t> hidden_weights = {};   // [kHidden][accumulator]
  std::vector<int32_t> hidden_bias = {};      // [kHidden], in units of 1 / (kOne · kWeightOne)
  std::vector<int16_t> output_weights = {};   // [leads][kHidden]
  std::vector<int32_t> output_bias = {};      // [leads], as hidden_bias
};

// The file format, version 1: the line "triarch-net 1", a line of JSON with `game`, `features`,
// `accumulator`, `hidden` (16), `leads` and anything else that its maker wants to say, then the
// numbers in the order above, little-endian, and the SHA-256 of everything before as 64 hex digits.
class Network {
 public:
  // InvalidArgument: the sizes or values are not those of a network.
  static absl::StatusOr<std::shared_ptr<const Network>> Make(NetworkData data);
  // Reads the bytes of a file without comparing its digest (bots/nnue/network_file.h does).
  // InvalidArgument: they are not a network.
  static absl::StatusOr<std::shared_ptr<const Network>> FromBytes(std::string_view bytes);

  const NetworkData& data() const { return data_; }
  // The first line of JSON of the file; empty if it was not read from one.
  const std::string& description() const { return description_; }
  const std::string& digest() const { return digest_; }

  // Of one view: begins an accumulator without features, and changes one by its features of a view
  // (`view[feature]`).
  void Begin(int16_t* accumulator) const;
  void Change(const FeatureList& lost, const FeatureList& gained, const std::vector<Feature>& view,
              int16_t* accumulator) const;
  // Returns the leads, in hundredths of a pawn, over the next seat and the one after it.
  std::array<int, kSeatsMax - 1> Leads(const int16_t* accumulator) const;

 private:
  explicit Network(NetworkData data);

  NetworkData data_;
  // The hidden weights as the loops read them: of each pair of inputs, two per hidden unit.
  std::vector<int16_t> pairs_;
  std::string description_;
  std::string digest_;
};

}  // namespace triarch::nnue

#endif  // TRIARCH_BOTS_NNUE_NETWORK_H_
