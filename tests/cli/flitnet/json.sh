# SPDX-License-Identifier: GPL-3.0-or-later
flitnet --json direct yates16
