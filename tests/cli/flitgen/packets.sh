# SPDX-License-Identifier: GPL-3.0-or-later
# The first packets of a published model: the same bytes as ever.
flitgen -c 8 "$DATA/models/yates-rc1-4.model" | flitcut -T text | sed 's/^!made *flit[a-z]* .*/!made/' | sed '/digest/d'
