# SPDX-License-Identifier: GPL-3.0-or-later
printf 'flitline-model 1\nfamily no-such-family\n' >a.model
flitreport --text a.model 2>a.err
echo "status $?"
sed 's/; known: .*/; known: .../' a.err >&2
printf 'flitline-model 1\nfamily pulse-train\nnodes 2\n[worker data]\nsilence many\n' >b.model
flitreport --text b.model
