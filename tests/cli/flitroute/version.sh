# SPDX-License-Identifier: GPL-3.0-or-later
flitroute --version | sed 's/[0-9]*\.[0-9]*\.[0-9]*$/VERSION/'
