import HTTPTesting
import NIOCore
import NIOPosix
import NIOSSL
import PosterTesting

/// An HTTP/2 connection over TLS that sends the frames of a test, including invalid ones.
struct HTTP2FrameClient {
    /// A raw frame (RFC 9113, 4.1).
    struct Frame: Equatable {
        var type: UInt8
        var flags: UInt8 = 0
        var stream: UInt32
        var payload: [UInt8] = []

        /// The error code of RST_STREAM and GOAWAY.
        var code: UInt8? { [3, 7].contains(self.type) ? self.payload[self.type == 3 ? 3 : 7] : nil }
        /// The status of HEADERS if it is in HPACK's static table (RFC 7541, Appendix A).
        var status: Int? {
            guard self.type == 1, let first = self.payload.first else { return nil }
            return [0x88: 200, 0x8C: 400, 0x8D: 404][first] ?? 0
        }
    }

    typealias Fields = [(name: String, value: String)]

    static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var buffered = ByteBuffer()

    /// Connects and sends the preface and SETTINGS. SETTINGS of the server are not acknowledged.
    static func run(port: Int, _ body: (inout HTTP2FrameClient) async throws -> Void) async throws {
        let context = try HTTP2Client.trusting(protocols: ["h2"])
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var client = HTTP2FrameClient(outbound: outbound, inbound: inbound.makeAsyncIterator())
            try await outbound.write(Self.preface)
            try await client.send(Frame(type: 4, stream: 0))
            try await body(&client)
        }
    }

    private init(
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) {
        (self.outbound, self.inbound) = (outbound, inbound)
    }

    func send(_ frames: Frame...) async throws { try await self.send(frames) }

    /// Sends frames in one write.
    func send(_ frames: [Frame]) async throws { try await self.outbound.write(Self.bytes(of: frames)) }

    static func bytes(of frames: [Frame]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for frame in frames {
            bytes.writeBytes([0, UInt8(frame.payload.count >> 8), UInt8(frame.payload.count & 255)])
            bytes.writeBytes([frame.type, frame.flags])
            bytes.writeInteger(frame.stream)
            bytes.writeBytes(frame.payload)
        }
        return bytes
    }

    /// A complete HEADERS frame, by default of a request without a body.
    static func head(_ stream: UInt32, _ fields: Fields, isWhole: Bool = true) -> Frame {
        // Literals without indexing and without Huffman coding (RFC 7541, 6.2.2).
        var payload: [UInt8] = []
        for (name, value) in fields {
            payload += [0, UInt8(name.utf8.count)]
            payload += Array(name.utf8)
            payload.append(UInt8(value.utf8.count))
            payload += Array(value.utf8)
        }
        return Frame(type: 1, flags: isWhole ? 5 : 4, stream: stream, payload: payload)
    }

    static func request(
        _ path: String = "/", method: String = "GET", scheme: String = "https", authority: String? = "a",
        with others: Fields = []
    ) -> Fields {
        let authority: Fields = authority.map { [(":authority", $0)] } ?? []
        return [(":method", method), (":scheme", scheme), (":path", path)] + authority + others
    }

    /// The next frame; `nil` if the server has closed the connection. A reset is an error.
    mutating func frame() async throws -> Frame? {
        while true {
            if let frame = Frame(next: &self.buffered) { return frame }
            guard var bytes = try await self.inbound.next() else { return nil }
            self.buffered.writeBuffer(&bytes)
        }
    }

    /// The next frame of one of these types: HEADERS, RST_STREAM and GOAWAY by default.
    mutating func next(_ types: Set<UInt8> = [1, 3, 7]) async throws -> Frame? {
        while let frame = try await self.frame() {
            if types.contains(frame.type) { return frame }
        }
        return nil
    }
}

extension HTTP2FrameClient.Frame {
    /// Reads a frame; `nil` if it is incomplete.
    init?(next bytes: inout ByteBuffer) {
        guard let head = bytes.getBytes(at: bytes.readerIndex, length: 9) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard bytes.readableBytes >= 9 + length else { return nil }
        bytes.moveReaderIndex(forwardBy: 5)
        self.init(
            type: head[3], flags: head[4], stream: bytes.readInteger()!, payload: bytes.readBytes(length: length)!)
    }
}
