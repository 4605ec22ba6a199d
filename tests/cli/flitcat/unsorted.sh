# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# An unsorted stream says so; sorting and checking it.
flitcat --unsorted c.flt a.flt >u.flt
flitinfo --json u.flt | grep -o '"sorted": "[a-z]*"'
flitcat --check u.flt
echo $?
flitcat --check a.flt c.flt
echo $?
flitcat --check -q u.flt a.flt
echo $?
flitcat --sort u.flt >s.flt
flitcat --check s.flt
echo $?
flitcut -T csv -f time,id,src s.flt
# A stream that is in order loses the flag.
flitcat --unsorted a.flt | flitcat | flitinfo --json | grep -o '"sorted": "[a-z]*"'
