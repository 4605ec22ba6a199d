# SPDX-License-Identifier: GPL-3.0-or-later
flitroute -n ring:3 --json --lengths -p host0,host1 shortest
