# SPDX-License-Identifier: GPL-3.0-or-later
# The example of flit-model(5) is a model.
sed -n '/^flitline-model 1$/,/^.Ed/{/^.Ed/d;p;}' "$SRC/man/flit-model.5" | sed '1{/^flitline-model/!d;}' >x.model
grep -v '^\.Dl' x.model | flitgen --explain
