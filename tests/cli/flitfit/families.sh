# SPDX-License-Identifier: GPL-3.0-or-later
# A family of its own, by every grouping: which sections there are, of how many sources; the rates add up to the same.
flitgen -t 5m -w a.flt "$DATA/models/yates-rc1-4.model"
flitfit -f poisson a.flt | grep -v -e '^bin' -e digest
for by in role all class node pair network; do
	echo "--by $by"
	flitfit -f poisson --by $by a.flt >poisson.model
	grep '^\[' poisson.model | head -n 4
	flitgen -t 5m poisson.model | flitinfo --json | sed -n 's/.*"records": *\([0-9]*\).*/records \1/p'
done
grep '^from' poisson.model
flitfit -f pulse-train a.flt | grep -v '^#' >one
flitfit a.flt | grep -v '^#' | cmp - one && echo 'the pulse train is the pulse train'
