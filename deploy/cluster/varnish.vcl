# Varnish in front of several OneSheets, as a cache of variants. All requests for one poster go to one node, for every size and
# format: its original is fetched, stored and decoded on one node only. `varnishd -C -f` checks it.
# Start the nodes with --trusted-proxy and this machine's address: of other proxies more than 256 connections are refused, and
# all of their clients share one rate.

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
        if (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS") {
            return (synth(403));
        }
        if (req.url ~ "^/+(metrics|readyz|healthz|purge|poster/+prefetch)/*(\?|$)" || req.url ~ "^[^?]*%([46][1-9a-fA-F]|[57][0-9aA])") {
            return (synth(403));
        }
    } else if (req.url ~ "^/+(metrics|readyz|healthz|purge|poster/+prefetch)/*(\?|$)") {
        return (pass);
    }

    # Which poster a request is for; the query does not matter.
    set req.http.X-Poster = regsub(req.url, "\?.*$", "");
    if (req.url ~ "^/poster/") {
        set req.http.X-Poster = regsub(req.http.X-Poster, "^/poster/(.+?)(/(info|srcset|placeholder))?$", "\1");
    } else if (req.url ~ "^/t/p/") {
        set req.http.X-Poster = regsub(req.http.X-Poster, "^/t/p/[^/]+/", "");
    } else if (req.url ~ "^/(_next/image|proxy)\?(.*&)?url=") {
        set req.http.X-Poster = regsub(req.url, "^[^?]*\?(?:.*&)?url=([^&]*).*$", "\1");
    }

    # Pictures differ by which of these formats a client accepts, and by nothing else of the field.
    if (req.url ~ "^/(poster|t/p|_next/image|proxy)[/?]" && req.http.Accept && req.http.Accept !~ ";\s*q=") {
        if (req.http.Accept ~ "image/avif") {
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
    set bereq.backend = nodes.backend(by = KEY, key = nodes.key(bereq.http.X-Poster), alt = bereq.retries);
    unset bereq.http.X-Poster;
}

sub vcl_backend_error {
    if (bereq.retries < 1 && (bereq.method == "GET" || bereq.method == "HEAD")) {
        return (retry);
    }
}
