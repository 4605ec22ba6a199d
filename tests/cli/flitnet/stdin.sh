# SPDX-License-Identifier: GPL-3.0-or-later
flitnet -o - ring:5 | flitnet
flitnet -o - ring:5 | flitnet - | cksum
