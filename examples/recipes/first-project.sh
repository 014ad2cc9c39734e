#!/bin/sh
# A project of one's own, from nothing to a decision (docs/recipes/first-project.md).
set -e

ikg create projects --set name=flying-school
export IKG_PROJECT=flying-school
ikg agents create desk --permission Authorization,ContXIQ,Capture,ReadAuthZConfigs
(umask 077 && ikg keys create desk > desk.key)
IKG_CLIENT_KEY=$(cat desk.key)
export IKG_CLIENT_KEY

mkdir -p data school/policies
cat > data/pilots.csv <<'END'
id,full_name,hours,rated_for
bessie,Bessie Coleman,900,dc3
jean,Jean Batten,310,c172
END
cat > data/aircraft.csv <<'END'
tail,model,built
N300,dc3,1941
N512,c172,1978
END
cat > data/map.yaml <<'END'
files:
  pilots.csv:
    nodes:
      - { type: Pilot, external_id: "{id}", is_identity: true, properties: { name: full_name, hours: { column: hours, as: integer } } }
      - { type: Model, external_id: "{rated_for}" }
    relationships:
      - source: { type: Pilot, external_id: "{id}" }
        type: RATED_FOR
        target: { type: Model, external_id: "{rated_for}" }
  aircraft.csv:
    nodes:
      - { type: Aircraft, external_id: "{tail}", properties: { built: { column: built, as: integer } } }
      - { type: Model, external_id: "{model}" }
    relationships:
      - source: { type: Aircraft, external_id: "{tail}" }
        type: IS
        target: { type: Model, external_id: "{model}" }
END
ikg import data/pilots.csv data/aircraft.csv --map data/map.yaml

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
