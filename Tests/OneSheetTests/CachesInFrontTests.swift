import Foundation
import PictureTesting
import PosterTesting
import Testing

/// Caches in front of the service when AVIF replaces a WebP response: nginx, which ignores `Age` and supports `Vary`,
/// and Varnish. They use real clocks, so the provisional lifetime is one second.
@Suite(.timeLimit(.hang))
struct CachesInFrontTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let varnish = "/usr/sbin/varnishd"

    private static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    private static let modern = ["Accept": "image/avif,image/webp,*/*;q=0.8"]
    private static let older = ["Accept": "image/webp,*/*;q=0.8"]
    private static let target = "/poster/nosferatu-1922?w=185"

    private let folder = TemporaryFolder()

    private func write(_ text: String, to name: String) throws -> String {
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(.enabled(if: Self.has(Self.nginx), "there is no nginx"), arguments: [false, true])
    func nginxPicksUpAVIF(revalidates: Bool) async throws {
        try await self.check { port, node in
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(self.folder.path)/\($0);"
            }
            let path = try self.write(
                """
                pid \(self.folder.path)/nginx.pid;
                error_log stderr;
                events {}
                http {
                  access_log off;
                  \(temporary.joined(separator: "\n  "))
                  proxy_cache_path \(self.folder.path)/cache keys_zone=posters:1m;
                  server {
                    listen 127.0.0.1:\(port);
                    location / {
                      proxy_pass http://127.0.0.1:\(node);
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_cache posters;
                      proxy_cache_revalidate \(revalidates ? "on" : "off");
                      proxy_cache_use_stale updating;
                      add_header X-Front $upstream_cache_status;
                    }
                  }
                }
                """, to: "nginx.conf")
            return try ChildProgram(
                Self.nginx, ["-p", self.folder.path, "-c", path, "-g", "daemon off; master_process off;"])
        }
    }

    @Test(.enabled(if: Self.has(Self.varnish), "there is no Varnish"))
    func varnishPicksUpAVIF() async throws {
        try await self.check { port, node in
            let path = try self.write(
                """
                vcl 4.1;
                backend onesheet { .host = "127.0.0.1"; .port = "\(node)"; }
                sub vcl_deliver {
                  set resp.http.X-Front = "MISS";
                  if (obj.hits > 0) { set resp.http.X-Front = "HIT"; }
                }
                """, to: "default.vcl")
            return try ChildProgram(
                Self.varnish,
                [
                    "-F", "-j", "none", "-n", self.folder.path + "/varnish", "-a", "127.0.0.1:\(port)", "-f", path,
                    "-s",
                    "malloc,16m",
                ])
        }
    }

    /// Requests a poster through a cache until the cache serves AVIF.
    private func check(_ start: (_ port: Int, _ node: Int) throws -> ChildProgram) async throws {
        let server = try await RunningServer(
            dataDirectory: self.folder.path + "/data",
            [
                "--provisional-max-age", "1", "--stale-while-revalidate", "1", "--client-stale-if-error", "0",
                "--max-age", "3600",
            ])
        let port = try FreePort.find()
        let cache = try start(port, server.port)
        defer { cache.signal(SIGTERM) }
        try await eventually { (try? HTTPConnection(port: port)) != nil }
        func get(_ headers: [String: String]) async throws -> HTTPConnection.Answer {
            try await HTTPConnection(port: port).get(Self.target, headers: headers)
        }

        let first = try await get(Self.modern)
        #expect(first.status == 200 && first.headers["content-type"] == "image/webp", "\(first.text)")
        #expect(first.headers["cache-control"] == "public, max-age=1, stale-while-revalidate=1")
        #expect(first.headers["vary"]?.contains("Accept") == true)
        // The second request, directly at the node, starts the AVIF encoder, a process of the lowest priority.
        try await eventually(within: .seconds(240)) {
            try await server.get(Self.target, headers: Self.modern).headers["content-type"] == "image/avif"
        }
        // The cache has WebP for a second; any later request may replace it by AVIF.
        try await eventually { try await get(Self.modern).headers["content-type"] == "image/avif" }
        let avif = try await get(Self.modern)
        #expect(avif.headers["x-front"] == "HIT" && avif.body.count < first.body.count)
        #expect(avif.headers["cache-control"] == "public, max-age=3600, stale-while-revalidate=1")
        let older = try await get(Self.older)
        #expect(older.headers["content-type"] == "image/webp")
        #expect(older.headers["cache-control"]?.contains("max-age=3600") == true)
        #expect(try await get(Self.modern).headers["content-type"] == "image/avif", "Vary keeps them apart")
        #expect(await server.stop() == 0)
    }
}
