#!/bin/sh
# A project of one's own, from nothing to a decision (docs/recipes/first-project.md).
set -e

ikg create projects --set name=flying-school
export IKG_PROJECT=flying-school
ikg agents create desk --permission Authorization,ContXIQ,Capture,ReadAuthZConfigs
IKG_CLIENT_KEY=$(ikg keys create desk)
export IKG_CLIENT_KEY

tables="examples/import/pilots.csv examples/import/models.csv examples/import/aircraft.csv examples/import/ratings.csv"
ikg import $tables --map examples/import/map.yaml

mkdir -p school/policies
cat > school/policies/may-fly.yaml <<'END'
meta: { policy_version: 2.0-kbac }
subject: { type: Pilot }
actions: [FLY]
resource: { type: Aircraft }
condition:
  cypher: MATCH (subject)-[:RATED_FOR]->(:Model)<-[:IS]-(resource)
END
ikg check school
ikg apply school --yes
sleep 2

ikg may Pilot/bessie FLY Aircraft/N300 --explain
ikg pull school
