import NIOCore
import NIOPosix
import NIOSSL

/// Asks a server on this machine over TLS, whoever its certificate says it is: the names in it are for clients elsewhere.
struct SecureProbe {
    let host: String
    let port: Int
    /// In seconds, for everything together.
    let timeout: Int

    /// The most that is read of an answer, in bytes.
    private static let answerLimit = 1024

    /// The first line of the answer to a GET; empty when none came in time. Blocks.
    ///
    /// - Throws: Why nobody could be asked.
    func statusLine(of path: String) throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let context = try NIOSSLContext(configuration: configuration)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: String.self)
        let deadline = loop.scheduleTask(in: .seconds(Int64(self.timeout))) { answer.succeed("") }
        let host = self.host
        ClientBootstrap(group: loop).connectTimeout(.seconds(Int64(self.timeout)))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // nil: addresses are no names to ask for (RFC 6066, 3).
                    let secure = try NIOSSLClientHandler(context: context, serverHostname: nil)
                    try channel.pipeline.syncOperations.addHandlers(secure, Reader(path: path, answer: answer))
                }
            }
            .connect(host: host, port: self.port).cascadeFailure(to: answer)
        defer { deadline.cancel() }
        return try answer.futureResult.wait()
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let path: String
        private let answer: EventLoopPromise<String>
        private var text = ""

        init(path: String, answer: EventLoopPromise<String>) {
            self.path = path
            self.answer = answer
        }

        func channelActive(context: ChannelHandlerContext) {
            let request = "GET \(self.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.text += String(buffer: self.unwrapInboundIn(data))
            guard self.text.utf8.contains(UInt8(ascii: "\n")) || self.text.utf8.count > SecureProbe.answerLimit else {
                return
            }
            self.answer.succeed(String(self.text.prefix { !$0.isNewline }))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.answer.succeed("")
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.answer.fail(error)
            context.close(promise: nil)
        }
    }
}
