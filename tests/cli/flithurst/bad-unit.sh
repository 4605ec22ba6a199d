# SPDX-License-Identifier: GPL-3.0-or-later
flithurst -b 10x </dev/null
