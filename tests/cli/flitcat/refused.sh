# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# Going back in time, times that are not whole, kinds that differ, two ways at once.
flitcat c.flt a.flt >out.flt
echo $?
flitcat a.flt b.flt >out.flt
echo $?
flitcat --unsorted a.flt b.flt >out.flt
echo $?
flitcat --round --unsorted a.flt b.flt | flitcut -T csv -f time,src
cp "$SRC/tests/golden/links.flt" links.flt
flitcat -m a.flt links.flt >out.flt
echo $?
flitcat --unsorted c.flt a.flt | flitcat -m - a.flt >out.flt
echo $?
flitcat -m -s a.flt >out.flt
echo $?
flitcat --renumber "$SRC/tests/golden/series.flt" >out.flt
echo $?
