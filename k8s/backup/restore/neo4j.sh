# In the Job neo4j-copy: loads a dump into a volume that holds no database.
set -eu
(cd "/backup/$BACKUP" && sha256sum --check --quiet checksums)
if [ -e /data/databases ]; then
  echo "the volume of Neo4j holds data, which is never written over; delete the claim data-neo4j-0 if it may go" >&2
  exit 1
fi
neo4j-admin database load neo4j --from-path="/backup/$BACKUP"
ls -l /data/databases
