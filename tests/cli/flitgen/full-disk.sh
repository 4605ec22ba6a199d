# SPDX-License-Identifier: GPL-3.0-or-later
flitgen "$DATA/models/yates-rc1-4.model" >/dev/full
echo $?
flitgen --explain "$DATA/models/yates-rc1-4.model" >/dev/full
echo $?
flitgen -w /dev/full "$DATA/models/yates-rc1-4.model"
echo $?
