# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
flitcat a.flt c.flt | flitcat -m - b.flt | flitinfo | sed -n '/How it was made/,$p' | sed 's/digest \([^ ]*\) .*/digest \1 HASH/'
