#include "selfplay/storage/s3_answer.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kListing = R"(<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><Prefix>a/</Prefix><KeyCount>2</KeyCount>
  <IsTruncated>true</IsTruncated>
  <NextContinuationToken>1ueG/+=&amp;</NextContinuationToken>
  <Contents><Key>a/1&lt;&#x20;</Key><Size>5</Size></Contents>
  <Contents><Key>a/2</Key><Owner><Key>no key</Key></Owner></Contents>
  <CommonPrefixes><Key>no key either</Key></CommonPrefixes>
</ListBucketResult>)";

TEST(S3Answer, Listing) {
  const absl::StatusOr<S3Listing> listing = ReadS3Listing(kListing);
  ASSERT_TRUE(listing.ok()) << listing.status();
  EXPECT_THAT(listing->keys, ElementsAre("a/1< ", "a/2"));
  EXPECT_EQ(listing->next_token, "1ueG/+=&");
}

TEST(S3Answer, TheLastPage) {
  const absl::StatusOr<S3Listing> listing = ReadS3Listing(
      "<ListBucketResult><IsTruncated>false</IsTruncated>"
      "<NextContinuationToken>x</NextContinuationToken></ListBucketResult>");
  ASSERT_TRUE(listing.ok()) << listing.status();
  EXPECT_THAT(listing->keys, IsEmpty());
  EXPECT_EQ(listing->next_token, "");
  EXPECT_TRUE(ReadS3Listing("<ListBucketResult/>").ok());
}

TEST(S3Answer, RejectsWhatIsNotAListing) {
  const auto error_of = [](const std::string& xml) {
    return std::string(ReadS3Listing(xml).status().message());
  };
  EXPECT_THAT(error_of(""), HasSubstr("not valid XML"));
  EXPECT_THAT(error_of("<html><p>hello</html>"), HasSubstr("not valid XML"));
  EXPECT_THAT(error_of("<html/>"), HasSubstr("no ListBucketResult"));
  EXPECT_THAT(error_of("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
              HasSubstr("no NextContinuationToken"));
  // Entity definitions could expand without bound.
  EXPECT_THAT(error_of("<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult/>"),
              HasSubstr("not valid XML"));
  std::string deep;
  for (int i = 0; i < 20; ++i) deep += "<a>";
  for (int i = 0; i < 20; ++i) deep += "</a>";
  EXPECT_THAT(error_of(deep), HasSubstr("not valid XML"));
}

TEST(S3Answer, Errors) {
  const S3Error error = ReadS3Error(
      "<Error><Code>NoSuchKey</Code><Message>It is &quot;gone&quot;</Message><Key>x</Key></Error>");
  EXPECT_EQ(error.code, "NoSuchKey");
  EXPECT_EQ(error.message, "It is \"gone\"");
  EXPECT_EQ(ReadS3Error("<html>503</html>").code, "");
  EXPECT_EQ(ReadS3Error("Service Unavailable").code, "");
}

TEST(S3Answer, Uploads) {
  EXPECT_EQ(*ReadUploadId("<InitiateMultipartUploadResult><Bucket>b</Bucket>"
                          "<UploadId>VXBs</UploadId></InitiateMultipartUploadResult>"),
            "VXBs");
  EXPECT_FALSE(ReadUploadId("<InitiateMultipartUploadResult/>").ok());
  EXPECT_EQ(PartsXml({"\"a1\"", "<&"}),
            "<CompleteMultipartUpload>"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;a1&quot;</ETag></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>&lt;&amp;</ETag></Part>"
            "</CompleteMultipartUpload>");
}

}  // namespace
}  // namespace triarch
