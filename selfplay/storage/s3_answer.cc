// Only this file includes Expat's header.

#include "selfplay/storage/s3_answer.h"

#include <expat.h>

#include <memory>

#include "absl/status/status.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kDepthMax = 16;
constexpr size_t kBytesMax = 16 << 20;

// An element with text, and its path: "ListBucketResult/Contents/Key".
struct Leaf {
  std::string path;
  std::string text;
};

class Reader {
 public:
  Reader() : parser_(XML_ParserCreate(nullptr)) {
    CHECK(parser_ != nullptr);
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char**) {
          static_cast<Reader*>(self)->Begin(name);
        },
        [](void* self, const XML_Char*) { static_cast<Reader*>(self)->End(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
      static_cast<Reader*>(self)->text_.append(text, static_cast<size_t>(size));
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          XML_StopParser(static_cast<Reader*>(self)->parser_.get(), XML_FALSE);
        });
  }

  absl::StatusOr<std::vector<Leaf>> Read(std::string_view xml) {
    if (xml.size() > kBytesMax || XML_Parse(parser_.get(), xml.data(), static_cast<int>(xml.size()),
                                            XML_TRUE) != XML_STATUS_OK) {
      return absl::InvalidArgumentError("the server's response is not valid XML: " + Quote(xml));
    }
    return std::move(leaves_);
  }

 private:
  void Begin(const char* name) {
    if (ends_.size() == kDepthMax) {
      XML_StopParser(parser_.get(), XML_FALSE);
      return;
    }
    ends_.push_back(path_.size());
    path_ += (path_.empty() ? "" : "/") + std::string(name);
    text_.clear();
    is_leaf_ = true;
  }

  void End() {
    if (is_leaf_) leaves_.push_back({path_, std::move(text_)});
    text_.clear();
    is_leaf_ = false;
    path_.resize(ends_.back());
    ends_.pop_back();
  }

  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  std::vector<Leaf> leaves_;
  std::string path_;
  std::vector<size_t> ends_;  // length of the path at each open element
  std::string text_;
  bool is_leaf_ = false;  // the open element has no children so far
};

absl::Status Unexpected(const char* expected, std::string_view xml) {
  return absl::InvalidArgumentError("the server's response has no " + std::string(expected) + ": " +
                                    Quote(xml));
}

}  // namespace

S3Error ReadS3Error(std::string_view xml) {
  S3Error error;
  const absl::StatusOr<std::vector<Leaf>> leaves = Reader().Read(xml);
  if (!leaves.ok()) return error;
  for (const Leaf& leaf : *leaves) {
    if (leaf.path == "Error/Code") error.code = leaf.text;
    if (leaf.path == "Error/Message") error.message = leaf.text;
  }
  return error;
}

absl::StatusOr<S3Listing> ReadS3Listing(std::string_view xml) {
  ASSIGN_OR_RETURN(std::vector<Leaf> leaves, Reader().Read(xml));
  S3Listing listing;
  bool is_truncated = false;
  bool is_listing = false;
  for (Leaf& leaf : leaves) {
    is_listing |= leaf.path.starts_with("ListBucketResult");
    if (leaf.path == "ListBucketResult/Contents/Key") listing.keys.push_back(std::move(leaf.text));
    if (leaf.path == "ListBucketResult/IsTruncated") is_truncated = Trim(leaf.text) == "true";
    if (leaf.path == "ListBucketResult/NextContinuationToken") listing.next_token = leaf.text;
  }
  if (!is_listing) return Unexpected("ListBucketResult", xml);
  if (!is_truncated) listing.next_token.clear();
  if (is_truncated && listing.next_token.empty()) return Unexpected("NextContinuationToken", xml);
  return listing;
}

absl::StatusOr<std::string> ReadUploadId(std::string_view xml) {
  ASSIGN_OR_RETURN(const std::vector<Leaf> leaves, Reader().Read(xml));
  for (const Leaf& leaf : leaves) {
    if (leaf.path == "InitiateMultipartUploadResult/UploadId" && !leaf.text.empty()) {
      return leaf.text;
    }
  }
  return Unexpected("UploadId", xml);
}

std::string PartsXml(const std::vector<std::string>& etags) {
  std::string xml = "<CompleteMultipartUpload>";
  for (size_t i = 0; i < etags.size(); ++i) {
    xml += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>";
    for (const char c : etags[i]) {
      if (c == '"') {
        xml += "&quot;";
      } else if (c == '&') {
        xml += "&amp;";
      } else if (c == '<') {
        xml += "&lt;";
      } else {
        xml += c;
      }
    }
    xml += "</ETag></Part>";
  }
  return xml + "</CompleteMultipartUpload>";
}

}  // namespace triarch
