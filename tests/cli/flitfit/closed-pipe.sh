# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -w a.flt "$DATA/models/yates-rc1-4.model"
(flitfit a.flt; echo $? >status) | true
cat status
