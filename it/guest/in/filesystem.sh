# A file system over a restart of the target. usage: filesystem.sh write|compare
. /share/lib.sh
tree=/usr/share/perl
[[ -d $tree ]] || tree=/usr/include

ini_up || exit 1
mods ext4
check "login" srp_login || { finish; exit 1; }
mkdir -p /mnt
case $1 in
  write)
    check "mkfs" mkfs.ext4 -q -F "$SD"
    check "mount" mount "$SD" /mnt
    check "copy" cp -a "$tree" /mnt/tree
    check "unmount" umount /mnt
    ;;
  compare)
    check "fsck" e2fsck -f -n "$SD"
    check "mount" mount -o ro "$SD" /mnt
    check "compare" diff -r --no-dereference "$tree" /mnt/tree
    check "files are there" test "$(find /mnt/tree -type f | wc -l)" -gt 20
    check "unmount" umount /mnt
    ;;
esac
check "logout" srp_logout
check "dmesg" no_complaints
finish
