# SPDX-License-Identifier: GPL-3.0-or-later
flitburst --version | sed 's/[0-9]*\.[0-9]*\.[0-9]*$/VERSION/'
