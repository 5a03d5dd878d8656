// Lists the bench positions and known perft counts of Triumvirate.

#include "core/triumvirate/bench.h"

namespace triarch::triumvirate {

std::span<const uint64_t> StartPerft(GameTag<Position>) {
  static constexpr std::array<uint64_t, 5> kNodes = {20, 400, 8000, 178'080, 3'955'380};
  return kNodes;
}

// From random games after 40 to 90 plies, with all three players still in.
std::span<const std::string_view> BenchPositions(GameTag<Position>) {
  static constexpr std::array<std::string_view, 6> kPositions = {
      "wRA1,wPA5,bPA7,bRA8,wNB1,wPB2,bPB4,wBC1,wPC3,bPC7,bBC8,wKD2,wBD3,wPE4,rPE9,wPF2,wQF4,wPF9,"
      "wNG1,rPG11,rNG12,wRH1,wPH3,rPH11,rRH12,bNI7,rPI9,rKI12,bPJ6,bKJ7,rNJ10,rPJ11,rBJ12,bBK7,rP"
      "K11,rRK12,bPL7,bRL8,rBL9,rPL11 b w-.b-.rQ - aaa 1 14",
      "bQA2,wBA3,wPA4,bPA6,wNB1,bPB7,bRB8,wKC1,wRC2,wPC3,bPC5,bBC8,wQD2,wPD3,rPD4,bPD5,bKD8,wPE4,"
      "rKE10,rQE12,wBF1,wPF2,rPF11,bBF12,wNG1,wPG3,rPG9,rNG12,wRH2,wPH9,rPH11,rRH12,bPI6,rPI11,bN"
      "J6,bPJ7,rPJ9,rBJ12,bPK7,rPK10,rNL6,bPL7,bRL8,rPL9,rRL12 w w-.b-.r- J10 aaa 0 21",
      "wRA1,wPA2,bPA7,bRA8,bBB2,wPB3,bPB7,wPC3,bPC5,bNC6,bBC8,wPD3,bPD5,wQE1,wKE2,wPE3,rPE9,rQE12"
      ",wPF2,rBF9,rBF10,rPF11,rRF12,wBG2,wPG4,rPG9,wRH1,wNH2,wPH3,rNH10,rPH11,bPI6,bKI7,rKI12,rPJ"
      "5,bQJ6,rRJ10,rPJ11,rNK5,bNK8,rPK11,rPL5,bPL6,bRL7 w w-.b-.r- - aaa 0 21",
      "wRA1,bRA7,wNB1,wPB3,bPB6,bNB8,wBC1,wPC3,bPC5,wQD1,wPD2,bPD4,bQD8,wKE1,rPE4,rPE9,rQE10,bBF1"
      ",rBF12,wNG1,wPG4,wPG10,rNG12,wRH10,rRH12,bPI7,bKI8,rKI12,bPJ6,bBJ8,rPJ9,rBJ12,bPK6,rPK9,rN"
      "K12,bPL5,bNL6,bRL8,rPL11,rRL12 b wQ.bK.rKQ - aaa 0 14",
      "wRA1,wPA4,wBA6,bPA7,bRA8,wPB3,wPB5,bPB6,bNB8,wNC2,wQD4,bPD5,wKE2,wBE3,rPE11,rPF3,rPF11,rBF"
      "12,wPG4,rPH4,rNH10,rRH12,bPI5,bBI6,bKI8,rQI12,bPJ5,rPJ11,rKJ12,bNK8,rPK10,rNK12,bRL7,rRL9 "
      "w w-.bQ.r- - caa 0 21",
      "wRA1,bNA3,wPA5,bPA7,bRA8,wNB1,wPB2,wBC1,wKC3,bPC7,wNE1,wBE2,wPE4,rPE9,wPE10,rRE12,wPF2,bBF"
      "11,rRF12,wRG2,rPG11,wPH3,rPH4,bPI9,rKI10,bKJ6,bRJ7,bBJ8,rPJ9,rPK11,bPL6,rPL9,rNL10,rBL11 w"
      " w-.b-.r- - aaa 1 31",
  };
  return kPositions;
}

}  // namespace triarch::triumvirate
