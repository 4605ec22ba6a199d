# SPDX-License-Identifier: GPL-3.0-or-later
# Without gnuplot, and with one that fails, dies or writes something else: a sentence, status 2, no page.
mkdir bin
ln -s "$(command -v flitreport)" bin/flitreport
try() {
	PATH=$PWD/bin flitreport -o page.html "$SRC/tests/golden/packets.flt"
	echo "status $?"
	[ -e page.html ] && echo 'a page was left'
}
fake() {
	printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
	chmod +x bin/gnuplot
}
try
fake 'exit 3'
try
fake 'kill -9 $$'
try
fake 'echo "<svg><script>x</script></svg>"'
try
fake 'echo nothing'
try
PATH=$PWD/bin flitreport --text "$SRC/tests/golden/packets.flt" >/dev/null
echo "status $?"
