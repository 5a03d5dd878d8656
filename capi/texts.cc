// Implements the texts and pictures of triarch.h.

#include <string>

#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/triarch.h"
#include "core/base/text.h"
#include "core/geometry.h"
#include "core/json.h"
#include "core/picture.h"
#include "core/text.h"

namespace capi = triarch::capi;

namespace triarch::capi {
namespace {

template <class P>
std::optional<typename P::Move> LastMove(const triarch_picture* picture) {
  if (picture == nullptr || picture->has_last_move == 0) return std::nullopt;
  return capi::MoveOf<P>(picture->last_move);
}

}  // namespace
}  // namespace triarch::capi

size_t triarch_text(const triarch_position* position, char* text, size_t size) {
  return capi::GiveText(
      text, size, [&] { return capi::Visit(position, [](const auto& p) { return ToString(p); }); });
}

size_t triarch_json(const triarch_position* position, char* text, size_t size) {
  return capi::GiveText(
      text, size, [&] { return capi::Visit(position, [](const auto& p) { return ToJson(p); }); });
}

size_t triarch_move_text(const triarch_position* position, triarch_move move, char* text,
                         size_t size) {
  return capi::Visit(position, [&]<class P>(const P& p) {
    char whole[triarch::kMoveTextMax];
    const char* const end = WriteMove(p, capi::MoveOf<P>(move), whole);
    return capi::Give({whole, static_cast<size_t>(end - whole)}, text, size);
  });
}

size_t triarch_move_in_form(const triarch_position* position, triarch_move move, uint32_t form,
                            char* text, size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position, [&]<class P>(const P& p) -> std::string {
      if (form >= MoveForms(triarch::kGame<P>).size()) return "";
      return MoveInForm(p, capi::MoveOf<P>(move), form);
    });
  });
}

size_t triarch_move_json(const triarch_position* position, triarch_move move, char* text,
                         size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position,
                       [&]<class P>(const P& p) { return MoveToJson(p, capi::MoveOf<P>(move)); });
  });
}

triarch_status triarch_parse_move(const triarch_position* position, const char* text,
                                  triarch_move* move, triarch_error* error) {
  return capi::Guard(error, [&] {
    return capi::Visit(position, [&]<class P>(const P& p) {
      if (p.outcome()) return capi::Fail(TRIARCH_ILLEGAL, "the game is over", error);
      const absl::StatusOr<typename P::Move> parsed = ParseMove(p, text);
      if (!parsed.ok()) return capi::Fail(TRIARCH_ILLEGAL, parsed.status(), error);
      *move = capi::NumberOf(*parsed);
      return TRIARCH_OK;
    });
  });
}

size_t triarch_cell_text(const triarch_position* position, uint32_t cell, char* text, size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position, [&]<class P>(const P& p) -> std::string {
      return cell < static_cast<uint32_t>(P::kCells) ? CellText(p, static_cast<int>(cell)) : "";
    });
  });
}

triarch_status triarch_find_cell(const triarch_position* position, const char* name, uint32_t* cell,
                                 triarch_error* error) {
  return capi::Guard(error, [&] {
    return capi::Visit(position, [&](const auto& p) {
      const auto found = FindCell(p, name);
      if (!found) {
        return capi::Fail(TRIARCH_INVALID_ARGUMENT,
                          "there is no cell " + triarch::Quote(name) + " now", error);
      }
      *cell = static_cast<uint32_t>(found->index());
      return TRIARCH_OK;
    });
  });
}

size_t triarch_cells_json(const triarch_position* position, char* text, size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position, [](const auto& p) { return GeometryJson(p); });
  });
}

size_t triarch_svg(const triarch_position* position, const triarch_picture* picture, char* text,
                   size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position, [&]<class P>(const P& p) {
      triarch::SvgStyle style;
      if (picture != nullptr) {
        style.has_cell_names = picture->has_cell_names != 0;
        for (size_t i = 0; i < P::kInfo.seats && picture->players[i] != nullptr; ++i) {
          style.players.emplace_back(picture->players[i]);
        }
        // A name that is missing leaves out all of them.
        if (style.players.size() != P::kInfo.seats) style.players.clear();
      }
      return ToSvg(p, capi::LastMove<P>(picture), style);
    });
  });
}

size_t triarch_board(const triarch_position* position, const triarch_picture* picture, char* text,
                     size_t size) {
  return capi::GiveText(text, size, [&] {
    return capi::Visit(position, [&]<class P>(const P& p) -> std::string {
      const triarch::BoardStyle style{.is_colored = picture != nullptr && picture->is_colored != 0,
                                      .names = {}};
      return ToBoard(p, style, capi::LastMove<P>(picture)).value_or("");
    });
  });
}
