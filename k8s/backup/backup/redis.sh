# In the Job redis-copy: copies the append-only file; the folder has the name of the backup once it is whole.
set -eu
umask 077
whole=/backup/$BACKUP
part=/backup/.$BACKUP
if [ -e "$whole" ]; then
  echo "the backup $BACKUP already exists; name another" >&2
  exit 1
fi
rm -rf "$part"
mkdir "$part"
tar -C /data -cf "$part/redis.tar" appendonlydir
tar -tf "$part/redis.tar" >/dev/null
(cd "$part" && sha256sum redis.tar >checksums)
mv "$part" "$whole"
ls -l "$whole"
