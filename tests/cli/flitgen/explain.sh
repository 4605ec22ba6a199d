# SPDX-License-Identifier: GPL-3.0-or-later
flitgen --explain "$DATA/models/yates-rc1-8.model"
sed 's/^silence-from.*/silence-from burst-start/; s/^destinations.*/destinations by-role/
/^.worker/,$d' "$DATA/models/yates-rc1-8.model" | flitgen -e
