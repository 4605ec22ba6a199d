# SPDX-License-Identifier: GPL-3.0-or-later
# Of ctest's LastTest.log: what the failed tests printed, and of those that skipped the first line, which says why.
/^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^[^:]*: /, "", name); text = ""; inside = 0 }
/^Output:$/ { getline; inside = 1; next }
/^<end of output>$/ { inside = 0 }
inside { text = text $0 "\n" }
/^Test Skipped\./ { split(text, lines, "\n"); skips = skips name ": " lines[1] "\n" }
/^Test (Failed|Timeout|Crashed)|^Test not run|^Unable to find executable/ { failures = failures "--- " name " failed: " $0 "\n" text }
END { printf "%s", skips failures }
