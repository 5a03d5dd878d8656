// Divides the workers' time among tournaments by priority and share.

#ifndef TRIARCH_COORDINATOR_LEASES_TURNS_H_
#define TRIARCH_COORDINATOR_LEASES_TURNS_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/record/precedence.h"

namespace triarch {

// When a worker asks, the candidates are the tournaments that it can play now. The highest priority
// is served first. While a worker plays one of its tournaments, each other candidate is owed its
// share of that time, and the one that is owed most is next. A tournament that was no candidate is
// owed nothing: it neither loses its share nor saves it up.
class Turns {
 public:
  // Requires: no tournament with that id exists.
  void Add(int64_t id, const Precedence& precedence) { entries_[id] = {precedence}; }
  // Divides what the tournament is owed, or owes, among the others of its priority.
  void Remove(int64_t id);
  // Adds the tournament again if its priority changes. Requires: it exists.
  void Set(int64_t id, const Precedence& precedence);
  bool Has(int64_t id) const { return entries_.contains(id); }
  bool has_choice() const { return entries_.size() > 1; }

  // Returns which candidate is next; if several are equal, the one with the largest share, then the
  // one with the lowest id. Requires: there are candidates, and all exist.
  int64_t Next(std::span<const int64_t> candidates) const;
  // Charges a candidate for time that a worker spent on it, in seconds of one slot. Does nothing if
  // there is no other candidate. Requires: all exist.
  void Charge(int64_t id, std::span<const int64_t> candidates, double seconds);
  // Notes time that the tournament will get by a lease; Next counts it as spent. Requires: the
  // tournament exists.
  void Hold(int64_t id, double seconds) { entries_.at(id).held += seconds; }
  // Forgets all notes by Hold.
  void ForgetHeld();

 private:
  // In seconds of one slot.
  struct Entry {
    Precedence precedence;
    double owed = 0;  // sums to 0 over the tournaments of a priority
    double held = 0;
  };
  // Returns the tournaments of the highest priority among these.
  std::vector<int64_t> First(std::span<const int64_t> candidates) const;
  int64_t SharesOf(std::span<const int64_t> ids) const;

  std::map<int64_t, Entry> entries_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_TURNS_H_
