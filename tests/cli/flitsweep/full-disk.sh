# SPDX-License-Identifier: GPL-3.0-or-later
flitsweep -s 1..3 -- printf 'a\tb\n1\t{seed}\n' >/dev/full
