# SPDX-License-Identifier: GPL-3.0-or-later
# The choice: traffic of bursts is a pulse train's, and not Poisson's, which is told why; the model says what was tried.
flitgen -t 10m -w a.flt "$DATA/models/yates-rc1-4.model"
flitfit --rank -f poisson -f pulse-train a.flt >table
cut -f 1-3,17,19 table
flitfit --rank -f poisson -f pulse-train a.flt | cmp - table && echo 'the same bytes again'
flitfit --rank -s 7 -f poisson -f pulse-train a.flt | cmp -s - table || echo 'other runs, other distances'
flitfit --rank -f poisson a.flt --json | tr ',{' '\n\n' | grep -c -e '"family": *"poisson"' -e '"queue_oct": *[0-9]' -e '"reason"'
flitfit -f poisson -f pulse-train a.flt >best
grep -c '^# Chosen among 2 fits' best
grep '^family' best
flitfit --rank -f all -o other -q a.flt >/dev/null && grep -c '^family' other
flitfit -q -f poisson -f pulse-train --write-all all a.flt && ls all
flitfit --by every -f poisson -f pulse-train --rank --write-all every a.flt | cut -f 2,3 | sort
ls every
# Poisson traffic is Poisson's, though a pulse train of single packets does as well.
flitgen -t 10m -w b.flt all/poisson.model
flitfit --rank -f poisson -f pulse-train b.flt | cut -f 1-3
