# SPDX-License-Identifier: GPL-3.0-or-later
# A period bends the logscale diagram alike in all blocks: there is no H that is the same all over.
seq 0 8191 | awk '{ print sin($1 * $1) + 5 * sin($1 / 80) }' >period.txt
flittest -t constancy period.txt | sed '/^# tests/,$d'
echo $?
