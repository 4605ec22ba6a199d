# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of flit-model(5) are models.
awk '/^flitline-model 1$/ { name = ++n ".model" } /^\.Ed/ { name = "" } name { print > name }' "$SRC/man/flit-model.5"
for m in *.model; do
	flitgen --explain $m
done
