# SPDX-License-Identifier: GPL-3.0-or-later
flitcmp --version | sed 's/[0-9]*\.[0-9]*\.[0-9]*$/VERSION/'
