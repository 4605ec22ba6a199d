# SPDX-License-Identifier: GPL-3.0-or-later
# outcome.awk tests.xml: of what ctest wrote, the first line of each test that skipped, which says why, and then all that
# each failed test printed. (Testing/Temporary/LastTest.log is lost where anyone calls ctest in the same folder, if only to
# list its tests.)
/<testcase / {
	name = $0
	sub(/.*<testcase name="/, "", name)
	sub(/".*/, "", name)
	seconds = $0
	sub(/.* time="/, "", seconds)
	sub(/".*/, "", seconds)
	skipped = / status="notrun"/
	failed = / status="fail"/
}
/<skipped message="Unable to find executable"/ { skipped = 0; failed = 1 }
sub(/.*<system-out>/, "") {
	inside = 1
	if (failed)
		failures = failures "--- " name ", after " seconds + 0 " s:\n"
}
inside {
	last = sub(/<\/system-out>.*/, "")
	gsub(/&lt;/, "<")
	gsub(/&gt;/, ">")
	gsub(/&quot;/, "\"")
	gsub(/&amp;/, "\\&")
	if (skipped) {
		sub(/^skipped: /, "")
		print "skipped " name ": " $0
		skipped = 0
	}
	if (failed && ($0 != "" || !last))
		failures = failures $0 "\n"
	inside = !last
}
END { printf "%s", failures }
