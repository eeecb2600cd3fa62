import FoundationEssentials
import Glibc

extension Server {
    /// nginx with `proxy_cache` in front of another server, so that its bodies and headers are the same.
    ///
    /// The settings beyond the defaults speed up hits: no access log, `sendfile` with `tcp_nopush`, connections without
    /// a request limit, `open_file_cache`, which saves opening the cache's file at each hit, and one worker per core.
    ///
    /// - Returns: `nil` if nginx is not installed.
    static func nginx(before upstream: Server, in folder: String) throws(BenchError) -> Server? {
        guard let program = Executable.path(of: "nginx") else { return nil }
        let port = try Self.freePort()
        let file = "\(folder)/nginx.conf"
        do {
            try Data(Self.nginxConfiguration(port, upstream: upstream.port, folder: folder).utf8)
                .write(to: URL(filePath: file))
        } catch {
            throw BenchError("cannot write \(file): \(error)")
        }
        // -e prevents the complaint that the system's log is not writable.
        let process = try RunningProcess(
            [program, "-c", file, "-e", "\(folder)/nginx-error.log"], log: "\(folder)/nginx.log", farewell: SIGTERM)
        try Self.waitUntilOpen(port, process)
        return Server(name: "nginx", port: port, process: process, target: upstream.target)
    }

    private static func nginxConfiguration(_ port: UInt16, upstream: UInt16, folder: String) -> String {
        // As root, workers would switch to a user without access to the folder; other users remain unchanged.
        let user = geteuid() == 0 ? "user root;" : ""
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n")
        return """
            \(user)
            daemon off;
            worker_processes auto;
            pid \(folder)/nginx.pid;
            error_log \(folder)/nginx-error.log;
            events { worker_connections 4096; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_timeout 300;
                keepalive_requests 1000000000;
                open_file_cache max=1000 inactive=300s;
                open_file_cache_valid 300s;
                \(temporary)
                proxy_cache_path \(folder)/cache levels=1:2 keys_zone=posters:10m inactive=1h use_temp_path=off;
                server {
                    listen 127.0.0.1:\(port) backlog=1024;
                    location / {
                        proxy_pass http://127.0.0.1:\(upstream);
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_cache posters;
                        proxy_cache_lock on;
                    }
                }
            }

            """
    }
}
