import FoundationEssentials
import Glibc

extension Server {
    /// nginx with `proxy_cache` before another server, so that its bodies and headers are the same.
    ///
    /// What is set beyond the defaults makes hits faster: no access log, `sendfile` with `tcp_nopush`, connections without
    /// an end, `open_file_cache`, which saves opening the cache's file at each hit, and a worker for each core.
    ///
    /// - Returns: nil when there is no nginx.
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
        // -e: or it complains that it may not write the system's log.
        let process = try RunningProcess(
            [program, "-c", file, "-e", "\(folder)/nginx-error.log"], log: "\(folder)/nginx.log", farewell: SIGTERM)
        try Self.waitUntilOpen(port, process)
        return Server(name: "nginx", port: port, process: process, target: upstream.target)
    }

    private static func nginxConfiguration(_ port: UInt16, upstream: UInt16, folder: String) -> String {
        // Root's workers would become a user that may not enter the folder; anybody else's stay what they are.
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
