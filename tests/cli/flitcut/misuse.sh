# SPDX-License-Identifier: GPL-3.0-or-later
# A wrong option, a missing value and a missing file: one line each, status 2.
for args in --nonsense '-w' 'no-such-file.flt' '.'; do
	flitcut $args >out
	echo "$? $(wc -c <out)"
done
