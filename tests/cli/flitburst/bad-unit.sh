# SPDX-License-Identifier: GPL-3.0-or-later
flitburst -g 10x </dev/null
