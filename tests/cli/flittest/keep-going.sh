# SPDX-License-Identifier: GPL-3.0-or-later
head -c 700 "$SRC/tests/golden/packets.flt" >cut.flt
flittest -t poisson --keep-going cut.flt
