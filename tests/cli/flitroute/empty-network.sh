# SPDX-License-Identifier: GPL-3.0-or-later
# An empty file is no network.
: >empty
flitroute -n empty
