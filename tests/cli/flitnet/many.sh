# SPDX-License-Identifier: GPL-3.0-or-later
# Several networks, and going on behind one that cannot be read.
echo nothing >bad
flitnet direct bad switch:2
echo $?
flitnet --keep-going direct bad switch:2 2>err
echo $?
cat err
