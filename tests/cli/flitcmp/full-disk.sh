# SPDX-License-Identifier: GPL-3.0-or-later
printf 'x\n1\n2\n' | flitcmp --where x=1 -c x >/dev/full
