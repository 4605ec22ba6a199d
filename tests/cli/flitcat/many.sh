# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# As many inputs as a shell makes: merging keeps all of them open.
for i in $(seq 300); do set -- "$@" a.flt; done
flitcat -m "$@" | flitinfo --json | grep -o '"records": [0-9]*, "sorted": "[a-z]*"'
flitcat -m "$@" | flitcut -T csv -f time | sort | uniq -c | sed 's/^ *//'
