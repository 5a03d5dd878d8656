// Registers players and recognizes them by their keys.

#ifndef TRIARCH_ARENA_API_ACCOUNTS_H_
#define TRIARCH_ARENA_API_ACCOUNTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/store/arena_store.h"

namespace triarch::arena {

// Runs something with the store in the store's thread, and functions in this one.
struct StoreAccess {
  std::function<void(std::function<void(ArenaStore&)>)> run;
  std::function<void(std::function<void()>)> post;

  // Called in this thread with each error of the store. Null: errors are not reported.
  std::function<void(const absl::Status&)> failed = nullptr;

  // Calls `then`, in this thread, with what `ask` returns; errors are for strangers.
  template <class Ask, class Then>
  void Do(Ask ask, Then then) const {
    run([*this, ask = std::move(ask), then = std::move(then)](ArenaStore& store) {
      post([*this, then, answer = ask(store)] { then(Shown(answer)); });
    });
  }

 private:
  absl::Status Shown(const absl::Status& status) const {
    absl::Status shown = ForStrangers(status);
    if (failed && shown != status) failed(status);
    return shown;
  }
  template <class T>
  absl::StatusOr<T> Shown(const absl::StatusOr<T>& answer) const {
    return answer.ok() ? answer : Shown(answer.status());
  }
};

// Keys are shown once, when they are made; the store has their hashes. All answers come later, in
// the same thread.
class Accounts {
 public:
  struct Parts {
    StoreAccess store;
    std::function<int64_t()> now_ms;
    std::function<std::string()> random;             // 16 random bytes
    std::function<bool(const std::string&)> is_bot;  // whether a bundled bot has this name
    // Checks that an account may have this name. Null: it may.
    std::function<absl::Status(const std::string&)> check_allowed = nullptr;
  };
  explicit Accounts(Parts parts) : parts_(std::move(parts)) {}

  template <class T>
  using Done = std::function<void(const absl::StatusOr<T>&)>;

  // Unauthenticated: nobody has this key.
  void Find(const std::string& key, Done<StoredPlayer> done) const;
  void FindName(const std::string& name, Done<StoredPlayer> done) const;
  // Checks that no account has the name. AlreadyExists: one has.
  void CheckFree(const std::string& name, std::function<void(const absl::Status&)> done) const;
  // Makes an account and returns its key. With the key of another one, both have the same owner.
  // The account gets the key `wanted`, or a new one if that is empty; adding it again with the same
  // key does nothing. Fails with InvalidArgument, AlreadyExists, or Unauthenticated for the key.
  void Add(const std::string& name, const std::string& wanted, const std::string& owners_key,
           Done<std::string> done) const;
  // Replaces the key by `wanted`, or by a new one if that is empty, and returns it; doing so again
  // changes nothing. Fails with InvalidArgument, Unauthenticated if nobody has the key, or
  // PermissionDenied if it is another player's.
  void Renew(const std::string& name, const std::string& key, const std::string& wanted,
             Done<std::string> done) const;
  // Returns a new key for a player who has lost the old one, or from whom it was stolen. NotFound:
  // there is no such player.
  void Replace(const std::string& name, Done<std::string> done) const;

 private:
  std::string NewKey() const;
  template <class T>
  void Refuse(const absl::Status& why, Done<T> done) const {
    parts_.store.post([done = std::move(done), why] { done(why); });
  }

  const Parts parts_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_ACCOUNTS_H_
