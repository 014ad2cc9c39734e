# In the Job neo4j-copy: dumps the database; the folder has the name of the backup once it is whole.
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
neo4j-admin database dump neo4j --to-path="$part"
# What cannot be read now cannot be restored later.
neo4j-admin database load neo4j --from-path="$part" --info
(cd "$part" && sha256sum neo4j.dump >checksums)
mv "$part" "$whole"
ls -l "$whole"
