#!/usr/bin/env bash
# Runs the commands of docs/installing.md, extracted from it, in a bare Debian (or by podman), and measures their time.
#
# usage: first-minutes.sh deb PACKAGE          the section "Debian package" in a chroot
#        first-minutes.sh source TOOLCHAIN     the section "Sources" in a chroot, with a clone of HEAD and the folder of Swift (with usr/bin/swift) at the same path
#        first-minutes.sh container ARCHIVE    the section "Container", by docker, or by podman and podman-compose (PODMAN_COMPOSE)
#
# Needs root, curl, python3, and for chroots debootstrap and, the first time, a Debian mirror (MIRROR). Packages of Swift are fetched, unless PACKAGES is a folder of SwiftPM
# (`checkouts`, `repositories`, `workspace-state.json`) to copy. The documents' port and origin are replaced by a free port and by a local origin with a poster at every path.
set -euo pipefail
cd "$(dirname "$0")/../.."
way=$1
given=$(realpath "$2")
base=.build/first-minutes/base
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "This needs root, for the chroot"; exit 1; }

work=$(mktemp -d)
root=$work/root
processes=()
mounts=()
finish() {
  for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
  [ ! -s "$root/run/onesheet.pid" ] || kill "$(cat "$root/run/onesheet.pid")" 2>/dev/null || true
  [ "$way" != container ] || (cd "$work/deploy" && docker compose -f compose.yaml down -v >/dev/null 2>&1) || true
  for mount in "${mounts[@]}"; do umount -l "$mount" 2>/dev/null || true; done
  rm -rf --one-file-system "$work"
}
trap finish EXIT

# The commands of a section: its fences `sh`, each ended by a line with a number.
commands() {
  awk -v heading="## $1" '$0 == heading { inside = 1; next } /^## / { inside = 0 }
    inside && /^```sh$/ { code = 1; next } code && /^```$/ { code = 0; print ": end of block " ++blocks; next } code' docs/installing.md
}
claim() {
  local words=$1
  shift
  "$@" || { echo "FAILED $words"; exit 1; }
  echo "passed $words"
}
is_jpeg() { test "$(head -c 2 "$1" | od -An -tx1 | tr -d ' ')" = ffd8; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# A poster at every path, for chroots and containers.
python3 -u - "$PWD"/Sources/Movies/EmbeddedCatalogue/Resources/originals/rashomon* >"$work/origin" <<'PYTHON' &
import http.server, pathlib, sys
poster = pathlib.Path(sys.argv[1]).read_bytes()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(poster)))
        self.end_headers()
        self.wfile.write(poster)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Handler)
print(server.server_port)
server.serve_forever()
PYTHON
processes+=($!)
for _ in $(seq 50); do [ -s "$work/origin" ] && break || sleep 0.1; done
origin=127.0.0.1:$(cat "$work/origin")
port=$(free_port)
# Replaces addresses of the document.
real() { sed -e "s|https://images.example.org|http://$origin|g" -e "s|http://127.0.0.1:8080|http://${address-127.0.0.1:$port}|g"; }

new_chroot() {
  if [ ! -e "$base.done" ]; then
    mkdir -p "$(dirname "$base")"
    rm -rf "$base"
    debootstrap --variant=minbase bookworm "$base" "$mirror" >"$base.log" || { tail "$base.log"; exit 1; }
    touch "$base.done"
  fi
  cp -a --reflink=auto "$base" "$root"
  mount -t proc proc "$root/proc"
  mounts+=("$root/proc")
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" 2>/dev/null && mounts+=("$root/dev/shm") || true
  [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
}
# Runs commands in the chroot, in a folder, and prints their output after a failure.
in_root() {
  chroot "$root" env -i HOME=/root "PATH=$2/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    ONESHEET_ALLOW_PRIVATE_ORIGINS=yes ONESHEET_PORT="$port" bash -exc "cd $1; $3" >>"$work/log" 2>&1 </dev/null || { tail -n 40 "$work/log"; return 1; }
}
# One block of a section.
block() { commands "$1" | awk -v wanted="$2" '/^: end of block / { if ($5 == wanted) { printf "%s", text; exit } text = ""; next } { text = text $0 "\n" }' | real; }

begin=$SECONDS
case $way in
deb)
  new_chroot
  mkdir "$root/root/download"
  cp "$given" "$root/root/download/"
  # The service by its unit's command line, as its user.
  cat >"$root/usr/local/sbin/systemctl" <<'SHIM'
#!/bin/bash
[ "$*" = "restart onesheet" ] || exit 0
[ ! -s /run/onesheet.pid ] || { kill "$(cat /run/onesheet.pid)"; while kill -0 "$(cat /run/onesheet.pid)" 2>/dev/null; do sleep 0.1; done; }
unit=/lib/systemd/system/onesheet.service
user=$(sed -n 's/^User=//p' $unit)
command=$(sed -n 's/^ExecStart=//p' $unit | sed 's|${STATE_DIRECTORY}|/var/lib/onesheet|')
install -d -m 0700 -o "$user" -g "$user" /var/lib/onesheet
set -a
. /etc/default/onesheet
setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs $command >/var/log/onesheet.log 2>&1 </dev/null &
echo $! >/run/onesheet.pid
for _ in $(seq 300); do grep -q '^OneSheet serves' /var/log/onesheet.log && exit 0; kill -0 $! || break; sleep 0.1; done
cat /var/log/onesheet.log
exit 1
SHIM
  chmod +x "$root/usr/local/sbin/systemctl"
  begin=$SECONDS
  # systemd would start the service while it is installed.
  claim "the package is installed, and its service is ready" in_root /root/download "" "$(block "Debian package" 1 | sed 's|^curl .*readyz|systemctl restart onesheet\n&|')"
  claim "a poster of one's own is served" in_root /root/download "" "$(block "Debian package" 2)"
  claim "it is a JPEG" is_jpeg "$root/root/download/poster.jpg"
  ;;
source)
  new_chroot
  mkdir -p "$root$given" "$root/root"
  mount --bind -o ro "$given" "$root$given"
  mounts+=("$root$given")
  git clone -q . "$root/root/onesheet"
  if [ -n "${PACKAGES-}" ]; then
    mkdir -p "$root/root/onesheet/.build"
    cp -a "$PACKAGES"/{checkouts,repositories,workspace-state.json} "$root/root/onesheet/.build/"
  fi
  begin=$SECONDS
  claim "the program is built" in_root /root/onesheet "$given/usr/bin:" "$(block Sources 1)"
  echo "$((SECONDS - begin)) s of building"
  in_root /root/onesheet "$given/usr/bin:" "echo \$\$ >/run/onesheet.pid; exec $(block Sources 2)" &
  for _ in $(seq 300); do curl -fsS -o /dev/null "http://127.0.0.1:$port/healthz" 2>/dev/null && break || sleep 0.1; done
  claim "a poster of one's own is served" in_root /root/onesheet "" "$(block Sources 3)"
  claim "it is a JPEG" is_jpeg "$root/root/onesheet/poster.jpg"
  ;;
container)
  mkdir "$work/bin" "$work/deploy"
  cp deploy/compose.yaml "$work/deploy/"
  # docker, or podman by its name: podman-compose has no --wait, and needs the file and the folder of its project.
  if ! docker info >/dev/null 2>&1; then
    compose=$(command -v "${PODMAN_COMPOSE:-podman-compose}")
    cat >"$work/bin/docker" <<SHIM
#!/bin/bash
[ "\$1" = compose ] || exec podman "\$@"
shift
words=()
for word in "\$@"; do [ "\$word" = --wait ] || words+=("\$word"); done
'$compose' "\${words[@]}" || exit
[ "\${words[2]}" != up ] || for _ in \$(seq 100); do podman exec deploy_onesheet_1 onesheet healthcheck 2>/dev/null && exit 0; sleep 0.2; done
SHIM
    chmod +x "$work/bin/docker"
    export PATH=$work/bin:$PATH
  fi
  cp "$given" "$work/deploy/"
  # Origins on this machine, and a free port.
  printf 'PUBLISH=127.0.0.1:%s\nONESHEET_ALLOW_PRIVATE_ORIGINS=yes\n' "$port" >"$work/deploy/.env"
  sed -i 's|^      ONESHEET_TMDB_KEY:.*|&\n      ONESHEET_ALLOW_PRIVATE_ORIGINS: "yes"|' "$work/deploy/compose.yaml"
  run_here() { (cd "$work/deploy" && bash -exc "$1" >>"$work/log" 2>&1 </dev/null) || { tail -n 40 "$work/log"; return 1; }; }
  begin=$SECONDS
  # The container's own address where ports of this machine do not lead to it.
  container_address() {
    address=127.0.0.1:$port
    curl -fsS -o /dev/null "http://$address/healthz" 2>/dev/null ||
      address=$(podman inspect deploy_onesheet_1 --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'):8080
    origin=$(podman inspect deploy_onesheet_1 --format '{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}' 2>/dev/null || echo 172.17.0.1):$(cat "$work/origin")
  }
  claim "the image is loaded, and its service starts" run_here "$(block Container 1 | grep -v readyz)"
  container_address
  claim "it is ready" run_here "$(block Container 1 | grep readyz)"
  claim "a poster of one's own is requested after a change of options" run_here "$(block Container 2 | grep -v '^curl')"
  container_address
  claim "it is served" run_here "$(block Container 2 | grep '^curl')"
  claim "it is a JPEG" is_jpeg "$work/deploy/poster.jpg"
  ;;
*)
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
echo "$((SECONDS - begin)) s from the first command to a poster of one's own ($way)"
