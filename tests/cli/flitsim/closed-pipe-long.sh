# SPDX-License-Identifier: GPL-3.0-or-later
# The reader goes away: a quiet end.
(flitgen -t 10m "$DATA/models/yates-vr4-8.model" | flitsim -w -; echo $? >status) | head -c 1000 | wc -c
cat status
