# SPDX-License-Identifier: GPL-3.0-or-later
flitroute --list --format csv
