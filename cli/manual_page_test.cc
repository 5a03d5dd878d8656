#include <string>

#include "cli/command_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(ManualPageTest, WritesEveryCommand) {
  const CommandNode show = {
      .name = "show",
      .help = "Draw a position.",
      .footer = "Examples:\n  triarch show '.x'\n.not a macro",
      .options = {{.names = {"-s", "--svg"},
                   .value = "FILE",
                   .help = "Write to FILE,\n  or C:\\x",
                   .group = "Options"},
                  {.value = "MOVE", .help = "Moves", .group = "Arguments", .is_list = true}}};
  EXPECT_EQ(
      ManualPage({.name = "triarch", .help = "plays", .footer = "End.", .commands = {show}}, "1.2"),
      R"(.TH TRIARCH 1 "" "triarch 1.2"
.SH NAME
triarch \- plays
.SH SYNOPSIS
.B triarch
.I COMMAND
[\fIOPTION\fR ...]
.SH DESCRIPTION
plays
.PP
.nf
End.
.fi
.SH COMMANDS
.SS triarch show [MOVE ...]
Draw a position.
.PP
\fIOptions\fR
.TP
\fB\-s\fR, \fB\-\-svg\fR \fIFILE\fR
Write to FILE,
or C:\ex
.PP
\fIArguments\fR
.TP
\fIMOVE\fR
Moves
.PP
.nf
Examples:
  triarch show '.x'
\&.not a macro
.fi
)");
}

}  // namespace
}  // namespace triarch
