# SPDX-License-Identifier: GPL-3.0-or-later
printf 'flitline-model 1\nfamily no-such-family\n' >a.model
flitreport --text a.model
echo "status $?"
printf 'flitline-model 1\nfamily pulse-train\nnodes 2\n[worker data]\nsilence many\n' >b.model
flitreport --text b.model
