// Tests accounts and their keys.

#include "arena/api/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "arena/api/test_arena.h"
#include "core/base/sha256.h"

namespace triarch::arena {
namespace {

class AccountsTest : public testing::Test {
 protected:
  // Calls a function of Accounts, and returns what it answers later.
  template <class T, class Call>
  absl::StatusOr<T> Ask(Call call) {
    absl::StatusOr<T> answer = absl::UnknownError("no answer");
    call([&answer](const absl::StatusOr<T>& came) { answer = came; });
    EXPECT_TRUE(absl::IsUnknown(answer.status()));
    arena_.Settle();
    return answer;
  }
  absl::StatusOr<std::string> Add(const std::string& name, const std::string& owners_key = "",
                                  const std::string& wanted = "") {
    return Ask<std::string>(
        [&](auto done) { arena_.accounts->Add(name, wanted, owners_key, done); });
  }
  absl::StatusOr<StoredPlayer> Find(const std::string& key) {
    return Ask<StoredPlayer>([&](auto done) { arena_.accounts->Find(key, done); });
  }
  absl::StatusOr<StoredPlayer> FindName(const std::string& name) {
    return Ask<StoredPlayer>([&](auto done) { arena_.accounts->FindName(name, done); });
  }
  absl::StatusOr<std::string> Renew(const std::string& name, const std::string& key,
                                    const std::string& wanted = "") {
    return Ask<std::string>([&](auto done) { arena_.accounts->Renew(name, key, wanted, done); });
  }
  absl::Status CheckFree(const std::string& name) {
    absl::Status answer = absl::UnknownError("no answer");
    arena_.accounts->CheckFree(name, [&answer](const absl::Status& came) { answer = came; });
    arena_.Settle();
    return answer;
  }

  TestStore events_;
  TestArena arena_{events_};
};

TEST_F(AccountsTest, AKeyFindsItsPlayer) {
  const absl::StatusOr<std::string> ann = Add("Ann");
  const absl::StatusOr<std::string> ben = Add("Ben");
  ASSERT_TRUE(ann.ok() && ben.ok());
  EXPECT_EQ(ann->size(), 64u);
  EXPECT_NE(*ann, *ben);
  EXPECT_EQ(Find(*ann)->name, "Ann");
  EXPECT_EQ(Find(*ben)->name, "Ben");
  EXPECT_NE(Find(*ann)->owner, Find(*ben)->owner);
  EXPECT_EQ(Find(*ann)->created_ms, arena_.now_ms);
  for (const std::string& key : {std::string(), *ann + "0", ann->substr(1), Sha256Hex(*ann)}) {
    EXPECT_TRUE(absl::IsUnauthenticated(Find(key).status())) << key;
  }
}

TEST_F(AccountsTest, TheStoreHasNoKey) {
  const absl::StatusOr<std::string> ann = Add("Ann");
  const StoredPlayer& stored = arena_.store.players().at("ann");
  EXPECT_EQ(stored.key_hash, Sha256Hex(*ann));
  EXPECT_EQ(stored.owner.find(*ann), std::string::npos);
}

TEST_F(AccountsTest, ANameIsTakenInEveryCase) {
  ASSERT_TRUE(Add("Ann").ok());
  for (const char* name : {"Ann", "ANN", "ann", " aNN "}) {
    EXPECT_TRUE(absl::IsAlreadyExists(Add(name).status())) << name;
  }
  EXPECT_TRUE(absl::IsAlreadyExists(CheckFree("aNn")));
  EXPECT_TRUE(CheckFree("Anna").ok());
  EXPECT_EQ(FindName("ANN")->name, "Ann");
  EXPECT_TRUE(absl::IsNotFound(FindName("Anna").status()));
}

TEST_F(AccountsTest, NamesOfBotsAreReserved) {
  for (const char* name : {"smart", "SMART", "Smart:nodes=5", "smart:"}) {
    EXPECT_TRUE(absl::IsAlreadyExists(Add(name).status())) << name;
  }
  EXPECT_TRUE(Add("smarty").ok());
}

TEST_F(AccountsTest, WrongNamesAreRefused) {
  for (const std::string& name :
       {std::string(), std::string("  "), std::string("a\nb"), std::string("\xff"),
        std::string("a\"b"), std::string(41, 'a'), std::string("a\0b", 3)}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Add(name).status())) << name;
  }
  EXPECT_TRUE(Add(std::string(40, 'a')).ok());
}

TEST_F(AccountsTest, AKeySharesItsOwner) {
  const absl::StatusOr<std::string> ann = Add("Ann");
  const absl::StatusOr<std::string> ben = Add("Ben", *ann);
  const absl::StatusOr<std::string> cat = Add("Cat", *ben);
  ASSERT_TRUE(cat.ok());
  EXPECT_EQ(Find(*ann)->owner, Find(*cat)->owner);
  EXPECT_TRUE(absl::IsUnauthenticated(Add("Dan", "wrong").status()));
  EXPECT_TRUE(CheckFree("Dan").ok());
}

TEST_F(AccountsTest, ANewKeyReplacesTheOldOne) {
  const absl::StatusOr<std::string> old = Add("Ann");
  const absl::StatusOr<std::string> ben = Add("Ben");
  const absl::StatusOr<std::string> renewed = Renew("aNN", *old);
  ASSERT_TRUE(renewed.ok());
  EXPECT_TRUE(absl::IsUnauthenticated(Find(*old).status()));
  EXPECT_EQ(Find(*renewed)->name, "Ann");
  EXPECT_TRUE(absl::IsUnauthenticated(Renew("Ann", *old).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(Renew("Ann", *ben).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(Renew("nobody", *ben).status()));
  EXPECT_EQ(Find(*renewed)->name, "Ann");
}

TEST_F(AccountsTest, ARepeatedRequestWithAChosenKeyChangesNothing) {
  const std::string first(64, 'a');
  const std::string second(64, 'b');
  EXPECT_EQ(*Add("Ann", "", first), first);
  const std::string owner = Find(first)->owner;
  EXPECT_EQ(*Add("ANN", "", first), first);
  EXPECT_EQ(Find(first)->owner, owner);
  EXPECT_EQ(*Renew("Ann", first, second), second);
  EXPECT_EQ(*Renew("Ann", first, second), second);
  EXPECT_EQ(Find(second)->name, "Ann");
  EXPECT_TRUE(absl::IsUnauthenticated(Find(first).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(Add("Ann", "", first).status()));
}

TEST_F(AccountsTest, AChosenKeyIsCheckedAndNobodyElses) {
  const std::string key(64, 'a');
  EXPECT_EQ(*Add("Ann", "", key), key);
  EXPECT_TRUE(absl::IsAlreadyExists(Add("Ben", "", key).status()));
  const absl::StatusOr<std::string> ben = Add("Ben");
  ASSERT_TRUE(ben.ok());
  EXPECT_TRUE(absl::IsAlreadyExists(Renew("Ben", *ben, key).status()));
  for (const std::string& wrong : {std::string("a"), std::string(64, 'A'), std::string(63, 'a')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Add("Cat", "", wrong).status())) << wrong;
    EXPECT_TRUE(absl::IsInvalidArgument(Renew("Ben", *ben, wrong).status())) << wrong;
  }
  EXPECT_EQ(Find(*ben)->name, "Ben");
}

TEST_F(AccountsTest, AnOperatorReplacesAKey) {
  const absl::StatusOr<std::string> old = Add("Ann");
  const auto replace = [this](const std::string& name) {
    return Ask<std::string>([&](auto done) { arena_.accounts->Replace(name, done); });
  };
  const absl::StatusOr<std::string> key = replace("aNN");
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(Find(*key)->name, "Ann");
  EXPECT_TRUE(absl::IsUnauthenticated(Find(*old).status()));
  EXPECT_TRUE(absl::IsNotFound(replace("nobody").status()));
}

TEST_F(AccountsTest, ErrorsOfTheStoreAreAnswered) {
  const absl::StatusOr<std::string> ann = Add("Ann");
  arena_.store.error = absl::UnavailableError("the store does not answer");
  EXPECT_TRUE(absl::IsUnavailable(Find(*ann).status()));
  EXPECT_TRUE(absl::IsUnavailable(FindName("Ann").status()));
  EXPECT_TRUE(absl::IsUnavailable(CheckFree("Ben")));
  EXPECT_TRUE(absl::IsUnavailable(Renew("Ann", *ann).status()));
  EXPECT_TRUE(absl::IsUnavailable(Add("Ben", *ann).status()));
}

}  // namespace
}  // namespace triarch::arena
