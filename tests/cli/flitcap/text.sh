# SPDX-License-Identifier: GPL-3.0-or-later
echo 'this is text' >text
flitcap -r text
