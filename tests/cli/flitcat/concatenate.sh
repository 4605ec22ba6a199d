# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# Ids of the second input become those of the first; losses and counters are added.
flitcat a.flt c.flt | flitcut -T text | grep -v digest
echo $?
