# SPDX-License-Identifier: GPL-3.0-or-later
flitsim no-such-file.flt
