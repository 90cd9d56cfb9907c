# Writes until it is killed. Makes /share/writing once writes are under way.
. /share/lib.sh
ini_up || exit 1
srp_login || exit 1
(sleep 4; touch /share/writing) &
fio --name=writes --filename="$SD" --direct=1 --ioengine=libaio --iodepth=32 --rw=randwrite --bs=64k --size=96M --time_based \
  --runtime=600 --eta=never
