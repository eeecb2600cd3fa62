import Flights
import Glibc
import NIOCore

/// Reads requests from a connection and plays their scripts on it, one after the other.
///
/// Scripts run in a separate task per connection, which is cancelled when the client disconnects.
final class OriginConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let events: AwaitedState<OriginEvents>
    private let answers: ScriptedResponses
    private let greeting: [UInt8]
    private var number = 0
    private var unread: [UInt8] = []
    /// The head of a request with an incomplete body.
    private var begun: OriginRequest?
    private var player: (requests: AsyncStream<OriginRequest>.Continuation, task: Task<Void, Never>)?

    init(events: AwaitedState<OriginEvents>, answers: ScriptedResponses, greeting: [UInt8]) {
        self.events = events
        self.answers = answers
        self.greeting = greeting
    }

    func channelActive(context: ChannelHandlerContext) {
        self.number = self.events.change { events in
            events.acceptedCount += 1
            return events.acceptedCount
        }
        let (requests, continuation) = AsyncStream.makeStream(of: OriginRequest.self)
        let (channel, answers, greeting) = (context.channel, self.answers, self.greeting)
        let task = Task {
            // An error means that the client has disconnected.
            do {
                try await channel.send(greeting)
                for await request in requests { try await channel.play(answers.script(for: request)) }
            } catch {}
        }
        self.player = (continuation, task)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = self.unwrapInboundIn(data)
        self.unread += buffer.readableBytesView
        let end = Array("\r\n\r\n".utf8)
        while true {
            if self.begun == nil {
                guard let range = self.unread.firstRange(of: end) else { return }
                let head = String(decoding: self.unread[..<range.lowerBound], as: UTF8.self)
                self.unread.removeSubrange(..<range.upperBound)
                self.begun = OriginRequest(head: head, connection: self.number)
            }
            guard let begun = self.begun else { return context.close(promise: nil) }
            guard self.unread.count >= begun.bodyByteCount else { return }
            let request = begun.with(body: Array(self.unread.prefix(begun.bodyByteCount)))
            self.unread.removeFirst(begun.bodyByteCount)
            self.begun = nil
            self.events.change { $0.requests.append(request) }
            self.player?.requests.yield(request)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.player?.requests.finish()
        self.player?.task.cancel()
        let number = self.number
        self.events.change { _ = $0.closedConnections.insert(number) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Usually a reset by the client. Closing is all there is to do.
        context.close(promise: nil)
    }
}

extension Channel {
    fileprivate func play(_ script: OriginScript) async throws {
        for step in script.steps {
            switch step {
            case .head(let status, let headers):
                let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
                try await self.send(Array("HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n".utf8))
            case .bytes(let bytes):
                try await self.send(bytes)
            case .trickle(let bytes, let size, let pause):
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try await self.send(Array(bytes[start..<min(start + size, bytes.count)]))
                    try await Task.sleep(for: pause)
                }
            case .wait(let gate):
                try await gate.wait()
            case .open(let gate):
                gate.open()
            case .hang:
                try await Gate().wait()
            case .close:
                try await self.close().get()
            case .reset:
                // A linger time of zero turns the close into a reset.
                let options = self as? any SocketOptionProvider
                try await options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                try await self.close().get()
            }
        }
    }

    fileprivate func send(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await self.writeAndFlush(ByteBuffer(bytes: bytes)) }
    }
}
