#!/bin/bash
# One node of OpenStack Swift with its S3 API on loopback, as an S3-compatible store for tests: openstack-swift.sh FOLDER [PORT]
#
# Debian's swift-proxy, swift-account, swift-container, swift-object and memcached. The keys are onesheet:test and secret, the
# region is us-east-1, and clients have to create the buckets. It writes /etc/swift/swift.conf. Ends with Ctrl-C.
set -euo pipefail
root=${1:?folder} port=${2:-18080}
mkdir -p $root/{etc,devices/d1,run}
cat > /etc/swift/swift.conf <<X
[swift-hash]
swift_hash_path_suffix = onesheet
swift_hash_path_prefix = onesheet
[storage-policy:0]
name = gold
default = yes
X
cd $root/etc
for kind in account:18102 container:18101 object:18100; do
  name=${kind%:*} p=${kind#*:}
  rm -f $name.builder $name.ring.gz
  swift-ring-builder $name.builder create 4 1 1 >/dev/null
  swift-ring-builder $name.builder add --region 1 --zone 1 --ip 127.0.0.1 --port $p --device d1 --weight 1 >/dev/null
  swift-ring-builder $name.builder rebalance >/dev/null || true
  cat > $name-server.conf <<X
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $p
workers = 1
user = $(id -un)
swift_dir = $root/etc
devices = $root/devices
mount_check = false
log_name = $name
[pipeline:main]
pipeline = healthcheck $name-server
[app:$name-server]
use = egg:swift#$name
[filter:healthcheck]
use = egg:swift#healthcheck
X
done
cat > proxy-server.conf <<X
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
workers = 1
user = $(id -un)
swift_dir = $root/etc
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_onesheet_test = secret .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:18211
[filter:slo]
use = egg:swift#slo
X
trap 'kill $(jobs -p)' EXIT
memcached -l 127.0.0.1 -p 18211 -u $(id -un) &
for name in account container object; do swift-$name-server $root/etc/$name-server.conf -v > $root/run/$name.log 2>&1 & done
swift-proxy-server $root/etc/proxy-server.conf -v > $root/run/proxy.log 2>&1 &
wait
