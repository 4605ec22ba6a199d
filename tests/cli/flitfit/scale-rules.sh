# SPDX-License-Identifier: GPL-3.0-or-later
# By an algorithm's formulas from one model, and by regression over models and a trace; each says how in the text.
models="$DATA/models"
flitfit --scale 16 --rule rc:256 "$models/yates-rc1-4.model"
flitgen -t 5m -w a.flt "$models/yates-rc1-8.model"
flitfit --scale 16 --rule regression "$models/yates-rc1-2.model" "$models/yates-rc1-4.model" a.flt | sed '/digest/d'
for rule in regression rc:256 vr:7 no-such-rule; do
	flitfit --scale 16 --rule $rule "$models/yates-rc1-4.model" "$models/yates-rc1-4.model"
	echo "$rule: $?"
done
cp "$models/mmpp.model" .
flitfit --scale 16 --rule rc:256 mmpp.model
echo "another family: $?"
