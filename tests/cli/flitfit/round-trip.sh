# SPDX-License-Identifier: GPL-3.0-or-later
# A fit of a generated trace: the parameters come back within the intervals that stand beside them.
flitgen -t 30m "$DATA/models/yates-rc1-8.model" | flitfit | sed '/digest/d'
