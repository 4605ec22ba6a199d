# SPDX-License-Identifier: GPL-3.0-or-later
flitmodel --format csv --fabric myrinet:preset=george -s 4B,64B,8192B
flitmodel --format csv --fabric myrinet:preset=george -N 7 -s 4B,64B,8192B
