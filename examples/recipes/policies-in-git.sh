#!/bin/sh
# A change of a policy from a file to the project: docs/recipes/policies-in-git.md.
set -e

ikg pull airfield
sed -i 's/subject.property.hours >= /subject.property.hours > /' airfield/policies/may-fly.yaml
ikg check airfield
ikg plan airfield -p min_hours=100 --fail-on lost
ikg apply airfield -p min_hours=100 --message "More than the hours, not as many" --yes
