# SPDX-License-Identifier: GPL-3.0-or-later
# Yates' own method, and its options.
flitgen -t 300 "$DATA/models/yates-rc1-2.model" >a.flt
flitfit -m window --window 500ms --sizes normal -l 95% --destinations by-role a.flt | sed '/digest/d'
