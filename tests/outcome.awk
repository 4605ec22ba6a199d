# SPDX-License-Identifier: GPL-3.0-or-later
# outcome.awk tests.xml LastTest.log: of what ctest wrote, the first line of each test that skipped, which says why, and
# all that each failed test printed.
FILENAME ~ /\.xml$/ {
	if (/<testcase /) { name = $0; sub(/.*testcase name="/, "", name); sub(/".*/, "", name); skipped = / status="notrun"/ }
	if (skipped && /<system-out>/) {
		sub(/.*<system-out>/, "")
		sub(/<\/system-out>.*/, "")
		sub(/^skipped: /, "")
		print "skipped " name ": " $0
	}
	next
}
/^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^[^:]*: /, "", name); text = ""; inside = 0 }
/^Output:$/ { getline; inside = 1; next }
/^<end of output>$/ { inside = 0 }
inside { text = text $0 "\n" }
/^Test (Failed|Timeout|Crashed)|^Test not run|^Unable to find executable/ { failures = failures "--- " name ": " $0 "\n" text }
END { printf "%s", failures }
