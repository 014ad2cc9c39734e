# In the Job redis-copy: puts the append-only file into a volume that has none.
set -eu
(cd "/backup/$BACKUP" && sha256sum --check --quiet checksums)
if [ -e /data/appendonlydir ]; then
  echo "the volume of Redis holds data, which is never written over; delete the claim data-redis-0 if it may go" >&2
  exit 1
fi
tar -C /data -xf "/backup/$BACKUP/redis.tar"
ls -l /data/appendonlydir
