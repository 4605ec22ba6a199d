# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# A merge has all its inputs open, so that it takes no more than the limit of open files; one after the other they
# are opened in turn, and 20 of them go beside a limit of 16.
for i in $(seq 20); do set -- "$@" a.flt; done
ulimit -n 16
flitcat --merge "$@" >merged.flt
echo "$? $(wc -c <merged.flt)"
flitcat --unsorted "$@" | flitinfo --json | grep -o '"records": [0-9]*, "sorted": "[a-z]*"'
flitcat --merge a.flt a.flt a.flt | flitinfo --json | grep -o '"records": [0-9]*, "sorted": "[a-z]*"'
