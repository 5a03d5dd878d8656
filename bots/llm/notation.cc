#include "bots/llm/notation.h"

#include "core/triumvirate/v4_text.h"

namespace triarch::llm {

using triumvirate::V4Table;

std::optional<V4Table> TableOf(Notation notation) {
  switch (notation) {
    case Notation::kClassic:
      return std::nullopt;
    case Notation::kTriumvirate:
      return V4Table::kPublished;
    case Notation::kTriumvirateClient:
      break;
  }
  return V4Table::kClient;
}

std::string ToNotation(Notation notation, std::string_view classic) {
  const std::optional<V4Table> table = TableOf(notation);
  return table ? triumvirate::ToV4Text(classic, *table) : std::string(classic);
}

std::string FromNotation(Notation notation, std::string_view text) {
  const std::optional<V4Table> table = TableOf(notation);
  return table ? triumvirate::FromV4Text(text, *table) : std::string(text);
}

}  // namespace triarch::llm
