# SPDX-License-Identifier: GPL-3.0-or-later
seq 1 1000 | sed "s/.*/5/" >x
flithurst x
