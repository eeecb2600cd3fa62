import NIOCore

@testable import HTTPServer

extension FuzzTarget {
    /// An HTTP/2 connection, behind TLS. After the preface the bytes are steps of ``ConnectionDriver``.
    static let http2 = FuzzTarget(
        "http2",
        words: [
            "\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{4}\u{1}\u{0}\u{0}\u{0}\u{0}",
            "\u{0}\u{0}\u{4}\u{3}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{8}",
            "\u{0}\u{0}\u{4}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}",
            "\u{0}\u{0}\u{8}\u{6}\u{0}\u{0}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{8}\u{7}\u{0}\u{0}\u{0}\u{0}\u{0}", ":method",
            ":path", ":scheme",
            ":authority", "content-length", "GET", "POST", "https", "/", "host", "te", "cookie", "expect",
        ], leastMilliseconds: 1_000, seeds: { http2Seeds }
    ) { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let driver = ConnectionDriver()
        do {
            var server = driver.server(hasIdleTimeout: true)
            server.http2.streams = 4
            server.http2.refusals = 8
            server.http2.controlFrames = 20
            server.http2.waitingFrames = 20
            let tracker = IdleTracker(driver.channel, now: .now())
            try driver.channel.pipeline.syncOperations.addHandler(IdleTracker.Handler(tracker))
            try driver.begin()
            // Streams are set up on the connection's loop, which is this thread.
            let routes = NIOLoopBound(driver, eventLoop: driver.channel.eventLoop)
            _ = try server.addStreams(to: driver.channel, ConnectionDriver.logger) { stream, isRefused in
                guard !isRefused else { return }
                let route = ConnectionDriver.Route()
                try stream.pipeline.syncOperations.addHandler(route)
                routes.value.add(route)
            }
        } catch {
            return check(false, "the connection cannot be set up: \(error)")
        }
        if choice & 1 == 0 { driver.receive(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)) }
        driver.play(input.rest())
        driver.finish()
        check(!driver.channel.isActive, "the connection never ends")
        inspect(driver.sent)
        driver.end()
    }

    /// The server's frames are complete, and streams of its GOAWAYs do not increase (RFC 9113, 6.8).
    private static func inspect(_ sent: [UInt8]) {
        var (rest, last) = (sent[...], UInt32.max)
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            check(length <= 16_384, "a frame has \(length) bytes")
            let payload = Array(rest.dropFirst(9).prefix(length))
            rest = rest.dropFirst(9 + length)
            guard head[3] == 7, payload.count == length else { continue }
            let stream = payload.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            check(stream <= last, "a GOAWAY names stream \(stream) after \(last)")
            last = stream
        }
    }

    private static var http2Seeds: [[UInt8]] {
        func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
            [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), type, flags, 0, 0, 0, stream] + payload
        }
        func head(_ stream: UInt8, _ method: String, _ flags: UInt8, length: String? = nil) -> [UInt8] {
            var fields = [(":method", method), (":scheme", "https"), (":path", "/"), (":authority", "a")]
            if let length { fields.append(("content-length", length)) }
            var payload: [UInt8] = []
            for (name, value) in fields {
                payload += [0, UInt8(name.utf8.count)] + Array(name.utf8)
                payload += [UInt8(value.utf8.count)] + Array(value.utf8)
            }
            return frame(1, flags, stream, payload)
        }
        func part(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
        let settings = frame(4, 0, 0) + frame(4, 1, 0)
        return [
            [0] + part(settings + head(1, "GET", 5)) + [4, 1],
            [0] + part(settings + head(1, "POST", 4)) + part(frame(0, 1, 1, [1, 2])) + [4, 3],
            [0] + part(settings + head(1, "POST", 4, length: "+2")) + part(frame(0, 1, 1, [1, 2])) + [4, 3],
            [0] + part(settings + head(1, "GET", 5) + frame(3, 0, 1, [0, 0, 0, 8])) + [4, 1],
            [0] + part(settings + head(1, "GET", 5) + head(3, "GET", 5)) + part(head(5, "GET", 5) + head(7, "GET", 5))
                + part(head(9, "GET", 5)),
            [0] + part(settings + head(1, "GET", 5)) + [14]
                + part(frame(6, 1, 0, [0, 0, 0, 0x0E, 0x50, 0xF5, 0xE4, 7])) + [4, 2],
            [0] + part(settings + frame(8, 0, 0, [0, 0, 1, 0]) + frame(6, 0, 0, Array(repeating: 1, count: 8))) + [
                3, 27,
            ],
            [0] + part(settings + head(1, "GET", 5)) + [4, 3] + part(frame(8, 0, 1, [0, 1, 0, 0])) + [6],
        ]
    }
}
