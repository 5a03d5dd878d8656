// Declares the test suite that every store passes.

#ifndef TRIARCH_TESTS_CONTRACT_STORE_CONTRACT_H_
#define TRIARCH_TESTS_CONTRACT_STORE_CONTRACT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"

// Each store's own tests instantiate it.
namespace triarch {

// Opens one store, each time it is called.
using StoreOpener = std::function<absl::StatusOr<std::unique_ptr<Store>>()>;

struct StoreKind {
  std::string name;
  std::function<StoreOpener()> make_new;  // returns an opener for an empty store
  bool is_lasting = true;                 // whether records survive closing the store
  bool holds_many = false;                // whether it holds several tournaments
};

std::ostream& operator<<(std::ostream& out, const StoreKind& kind);

class StoreContractTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  StoreContractTest();

  void Reopen();
  int64_t OpenSample();
  std::vector<Range> Recorded(int64_t id);
  std::vector<GameSummary> Games(int64_t id, const GameFilter& filter = {});
  std::vector<int64_t> Indices(int64_t id, const GameFilter& filter = {});

  StoreOpener open_ = GetParam().make_new();
  std::unique_ptr<Store> store_;

 private:
  void Open();
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CONTRACT_STORE_CONTRACT_H_
