# SPDX-License-Identifier: GPL-3.0-or-later
# The networks of Yates (1997): switches, no port above the eighth, and the mean switches on a route.
flitnet triangle16 yates16a yates16b yates16 yates32x6 yates32 yates64 yates128
