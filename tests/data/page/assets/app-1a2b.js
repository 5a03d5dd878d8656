// Stands for a script of the page in the tests of site/.
"use strict";
