# SPDX-License-Identifier: GPL-3.0-or-later
# The standard input, with and without its name, gives what the file gives.
"$BUILD/tests/make-captures" make pcapng-ns >a.pcapng
flitcap -q -r a.pcapng | flitcut -T csv >file
flitcap -q <a.pcapng | flitcut -T csv >stdin
cat a.pcapng | flitcap -q -r - | flitcut -T csv >pipe
cmp file stdin && cmp file pipe && wc -l <file
