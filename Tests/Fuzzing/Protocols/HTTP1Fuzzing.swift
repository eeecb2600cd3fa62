import NIOCore

@testable import HTTPServer

extension FuzzTarget {
    /// An HTTP/1.1 connection. A byte can be a step that takes some microseconds, or a part of a text.
    static let http1 = FuzzTarget("http1", words: headWords, leastMilliseconds: 1_000, seeds: { http1Seeds }) { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let driver = ConnectionDriver()
        do {
            let server = driver.server(hasIdleTimeout: choice & 1 == 0)
            let tracker = IdleTracker(driver.channel, now: .now())
            try driver.channel.pipeline.syncOperations.addHandler(IdleTracker.Handler(tracker))
            try driver.begin()
            try server.addRequestHandlers(to: driver.channel, isSecure: choice & 2 != 0, ConnectionDriver.logger)
            let route = ConnectionDriver.Route()
            try driver.channel.pipeline.syncOperations.addHandler(route)
            driver.add(route)
        } catch {
            return check(false, "the connection cannot be set up: \(error)")
        }
        driver.play(input.rest())
        driver.finish()
        let text = String(decoding: driver.sent, as: UTF8.self)
        check(text.isEmpty || text.hasPrefix("HTTP/1."), "the output begins with \(text.prefix(20))")
        let finals = text.split(separator: "HTTP/1.1 ").count { !$0.hasPrefix("100") }
        let answered = driver.routes.reduce(0) { $0 + $1.responseCount }
        check(finals <= answered + 1, "\(finals) responses to \(answered) requests, and at most one refusal")
        driver.end()
    }

    private static var http1Seeds: [[UInt8]] {
        let get = Array("GET /poster/x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let post = Array("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n".utf8)
        let chunked = Array(
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n".utf8)
        let upgrade = Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n".utf8)
        func part(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
        return [
            [0] + part(get) + [4, 1] + part(get) + [4, 0xF1], [1] + part(get + get) + [4, 2, 4, 3] + [14],
            [0] + part(post) + [4, 16] + part(Array("abcde".utf8)) + [4, 1], [2] + part(chunked) + [7, 4, 3, 27, 7],
            [0] + part(upgrade) + part(get) + [4, 1, 4, 1], [0] + part(Array(get.prefix(9))) + [27],
            [0] + part(Array("GET /#x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)), [0] + part(get) + [6] + [4, 1],
            [3] + part(get) + [7, 4, 3, 22],
        ]
    }
}
