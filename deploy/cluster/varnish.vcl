# Varnish in front of several OneSheets, as a cache of variants. All requests for one poster go to one node, for every size and
# format: its original is fetched, stored and decoded on one node only. All requests of one user go to one node, too.
# `varnishd -C -f` checks it.

# The nodes need:
# - --trusted-proxy with this machine's address (127.0.0.1 here): of other proxies more than 256 connections are refused, and all
#   of their clients share one rate;
# - --public-url with the address that browsers know, such as https://posters.example.org;
# - --library postgres://… and one --secret-key-file where users sign in and keep favourites: docs/cluster.md. Without them each node has
#   sessions of its own, and users whose address changes are signed out.
# Varnish has no TLS: where users sign in, put hitch or another proxy that ends it in front, with its address in the nodes'
# --trusted-proxy; client.ip below is the client then only with the PROXY protocol (varnishd -a :6086,PROXY).

vcl 4.1;

import directors;
import std;

probe ready {
    .request = "GET /readyz HTTP/1.1" "Host: onesheet" "Connection: close";
    .interval = 2s;
    .timeout = 2s;
    .window = 4;
    .threshold = 2;
    .initial = 2;
}

backend one {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 2s;
    .first_byte_timeout = 30s;  # more than --fetch-timeout
    .probe = ready;
}

backend two {
    .host = "127.0.0.1";
    .port = "8082";
    .connect_timeout = 2s;
    .first_byte_timeout = 30s;
    .probe = ready;
}

acl operators {
    "127.0.0.0"/8;
    "::1";
}

sub vcl_init {
    new nodes = directors.shard();
    nodes.add_backend(one);
    nodes.add_backend(two);
    # Points of each node on the ring. Adding or removing a node moves only that node's posters.
    nodes.reconfigure(replicas = 500);
}

sub vcl_recv {
    # Forwarded fields of clients are replaced.
    set req.http.X-Forwarded-For = client.ip;
    set req.http.Forwarded = "for=" + client.ip + ";proto=http";
    if (req.http.X-Forwarded-For ~ ":") {
        set req.http.Forwarded = {"for="["} + client.ip + {"]";proto=http"};
    }

    # Resources of operators, who alone may change something. Repeated slashes name the same resource, and so do encoded letters,
    # which no URL of OneSheet's has in its path.
    if (client.ip !~ operators) {
        # Signing in, favourites, watchlists and ratings are for everyone.
        if (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS" && req.url ~ "^/+(poster|t/+p|_next/+image|proxy)([/?]|$)") {
            return (synth(403));
        }
        if (req.url ~ "^/+(metrics|readyz|healthz|purge|poster/+prefetch)/*(\?|$)" || req.url ~ "^[^?]*%([46][1-9a-fA-F]|[57][0-9aA])") {
            return (synth(403));
        }
    } else if (req.url ~ "^/+(metrics|readyz|healthz|purge|poster/+prefetch)/*(\?|$)") {
        return (pass);
    }

    # Which poster a request is for; the query does not matter. The embedded films have a source that may be left out. `url` may name a
    # poster of the nodes, whose id in it is encoded twice.
    set req.http.X-Key = regsuball(regsub(req.url, "\?.*$", ""), "/+", "/");
    if (req.url ~ "^/(_next/image|proxy)\?(.*&)?url=") {
        set req.http.X-Key = regsub(req.url, "^[^?]*\?(?:.*&)?url=([^&]*).*$", "\1");
        set req.http.X-Key = regsuball(req.http.X-Key, "%25", "%");
    }
    set req.http.X-Key = regsuball(regsuball(req.http.X-Key, "%3[aA]", ":"), "%2[fF]", "/");
    if (req.http.X-Key ~ "^/poster/") {
        set req.http.X-Key = regsub(regsub(req.http.X-Key, "^/poster/(.+?)(/(info|srcset|placeholder))?$", "\1"), "^sample:", "");
    } else if (req.url ~ "^/t/p/") {
        set req.http.X-Key = regsub(req.http.X-Key, "^/t/p/[^/]+/", "");
    } else if (req.url !~ "^/+(_next/+image|proxy)([/?]|$)"
        && (req.url !~ "^/(movies|people|collections|genres|box-office|apps|v1)([/?]|$)" || req.http.Authorization
            || req.http.Cookie ~ "onesheet_session=" || (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS"))) {
        # Facts about films without a user are the same for all: one node asks their source. All else goes by client, so that a session is
        # where it was begun.
        set req.http.X-Key = client.ip;
    }

    # Pictures differ by which of these formats a client accepts, and by nothing else of the field.
    if (req.url ~ "^/(poster|t/p|_next/image|proxy)[/?]" && req.http.Accept && req.http.Accept !~ ";\s*q=") {
        if (req.http.Accept ~ "image/jxl") {
            set req.http.Accept = "image/jxl,image/avif,image/webp,*/*";
        } else if (req.http.Accept ~ "image/avif") {
            set req.http.Accept = "image/avif,image/webp,*/*";
        } else if (req.http.Accept ~ "image/webp") {
            set req.http.Accept = "image/webp,*/*";
        } else {
            set req.http.Accept = "*/*";
        }
    }
}

sub vcl_backend_fetch {
    # Any node can answer, but without its caches.
    set bereq.backend = nodes.backend(by = KEY, key = nodes.key(bereq.http.X-Key), alt = bereq.retries);
    unset bereq.http.X-Key;
}

sub vcl_backend_error {
    if (bereq.retries < 1 && (bereq.method == "GET" || bereq.method == "HEAD")) {
        return (retry);
    }
}
