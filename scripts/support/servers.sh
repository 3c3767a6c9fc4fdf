# Sourced by scripts/interop and scripts/bench: certificates, and servers on free loopback ports, ended by their process ids.
# The caller sets WORK, an absolute folder of its own, and calls `stop_servers` on exit.

servers=()

# Whether something listens on a port of the loopback interface.
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A port nobody listens on. Another process may take it before we do: `start_server` notices, since ours then ends.
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)); do
        if ! listens "$port"; then
            echo "$port"
            return
        fi
    done
}

# start_server NAME PORT COMMAND...: runs a server in the background and returns when it accepts connections.
start_server() {
    local name=$1 port=$2
    shift 2
    "$@" >"$WORK/$name.log" 2>&1 &
    local pid=$!
    servers+=("$pid")
    for _ in $(seq 200); do
        if ! kill -0 "$pid" 2>/dev/null; then break; fi
        if listens "$port"; then return 0; fi
        sleep 0.1
    done
    echo "$name did not start:" >&2
    tail -n 20 "$WORK/$name.log" >&2
    return 1
}

# make_certificates: an authority for this run, $WORK/tls/ca.pem, and a certificate of it for the loopback names, server.pem and server.key.
make_certificates() {
    local there=$WORK/tls
    rm -rf "$there"
    mkdir -p "$there"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=Tarmac interop" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
        -keyout "$there/ca.key" -out "$there/ca.pem" 2>/dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=localhost" \
        -keyout "$there/server.key" -out "$there/server.csr" 2>/dev/null
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n' >"$there/server.ext"
    openssl x509 -req -in "$there/server.csr" -CA "$there/ca.pem" -CAkey "$there/ca.key" -CAcreateserial -days 2 \
        -extfile "$there/server.ext" -out "$there/server.pem" 2>/dev/null
}

stop_servers() {
    local pid
    for pid in ${servers[@]+"${servers[@]}"}; do kill "$pid" 2>/dev/null || true; done
    for pid in ${servers[@]+"${servers[@]}"}; do wait "$pid" 2>/dev/null || true; done
    servers=()
}

nginx_path() { command -v nginx || echo /usr/sbin/nginx; }

# start_nginx PORT: runs nginx in the foreground of a background job, on the configuration $WORK/nginx.conf.
start_nginx() { start_server nginx "$1" "$(nginx_path)" -e "$WORK/error.log" -p "$WORK" -c "$WORK/nginx.conf" -g "daemon off;"; }
