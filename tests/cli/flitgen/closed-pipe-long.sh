# SPDX-License-Identifier: GPL-3.0-or-later
# The reader goes away: a quiet end.
(flitgen -c 10000000 "$DATA/models/yates-rc1-4.model"; echo $? >status) | head -c 1000 | wc -c
cat status
