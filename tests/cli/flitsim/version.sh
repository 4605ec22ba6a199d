# SPDX-License-Identifier: GPL-3.0-or-later
flitsim --version | sed 's/ [0-9].*//'
