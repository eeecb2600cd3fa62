import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// Establishes connections: TCP, TLS, authentication, database, and checks that the server is ready and no replica.
struct RedisDialer: Sendable {
    let configuration: RedisConfiguration
    let group: any EventLoopGroup

    /// - Throws: ``RedisFailure``, `CancellationError`.
    func connect(isExclusive: Bool) async throws -> RedisConnection {
        let connection = try await self.open(isExclusive: isExclusive)
        do {
            try await self.greet(connection)
        } catch {
            connection.close(because: error as? RedisFailure ?? .unavailable("the connection is no longer needed"))
            throw error
        }
        if !isExclusive {
            connection.watch(every: self.configuration.watchInterval, timeout: self.configuration.hangTimeout)
        }
        return connection
    }

    private func open(isExclusive: Bool) async throws -> RedisConnection {
        let configuration = self.configuration
        let security = try configuration.address.isEncrypted ? self.security() : nil
        let load = ConnectionLoad(configuration.pipeline)
        let address = configuration.address
        // TLS compares host names with the certificate; an IP address is compared too, but not sent as the server name.
        let isNumeric = (try? SocketAddress(ipAddress: address.host, port: address.port)) != nil
        let result = PendingResult<RedisConnection>()
        let bootstrap = ClientBootstrap(group: self.group)
            .connectTimeout(TimeAmount(configuration.connectTimeout))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let security {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: security, serverHostname: isNumeric ? nil : address.host))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        RedisChannelHandler(configuration.replies, load: load))
                }
            }
        return try await result.value(begin: {
            bootstrap.connect(host: address.host, port: address.port).flatMapThrowing { channel in
                let handler = try channel.pipeline.syncOperations.handler(type: RedisChannelHandler.self)
                return RedisConnection(
                    channel, NIOLoopBound(handler, eventLoop: channel.eventLoop), load, isExclusive: isExclusive,
                    commandTimeout: configuration.commandTimeout)
            }.whenComplete { outcome in
                let isWanted = result.finish(outcome.mapError { RedisFailure.unavailable(Self.reason($0)) })
                // The task was cancelled while connecting.
                if !isWanted, case .success(let connection) = outcome {
                    connection.close(because: .unavailable("the connection is no longer needed"))
                }
            }
        })
    }

    private func security() throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let file = self.configuration.authorityFile { tls.trustRoots = .file(file) }
        do {
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw RedisFailure.unavailable("TLS cannot be set up: \(error)")
        }
    }

    /// Sends the commands of the handshake, each with the timeout `connectTimeout`.
    private func greet(_ connection: RedisConnection) async throws {
        let timeout = self.configuration.connectTimeout
        let address = self.configuration.address
        if let password = try self.password() {
            let words = address.user.map { [$0, password] } ?? [password]
            _ = try await connection.send(RedisCommand("AUTH", arguments: words.map(\.redisBytes)), within: timeout)
        }
        if address.database != 0 {
            _ = try await connection.send(RedisCommand("SELECT", address.database), within: timeout)
        }
        do {
            _ = try await connection.send(
                RedisCommand("CLIENT", "SETNAME", self.configuration.clientName), within: timeout)
            let role = try await connection.send(RedisCommand("ROLE"), within: timeout)
            if role.elements?.first?.text == "slave" { throw RedisFailure.refusal("READONLY") }
        } catch RedisFailure.refused(let text) where !text.hasPrefix("READONLY") && !text.hasPrefix("NOAUTH") {
            // Proxies and access rules may reject these commands.
        }
        _ = try await connection.send(RedisCommand("PING"), within: timeout)
    }

    private func password() throws(RedisFailure) -> String? {
        guard let file = self.configuration.passwordFile else { return self.configuration.address.password }
        let limit = RedisConfiguration.passwordFileLimit
        guard let bytes = try? Data(contentsOf: URL(filePath: file)), bytes.count <= limit,
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .unavailable("the password cannot be read from \(file)") }
        let password = text.trimmingPrefix(while: \.isWhitespace)
        guard let last = password.lastIndex(where: { !$0.isWhitespace }) else {
            throw .unavailable("\(file) has no password")
        }
        return String(password[...last])
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let failure as NIOConnectionError:
            return failure.connectionErrors.first.map { self.reason($0.error) } ?? "its name has no address"
        case let failure as IOError: return String(cString: strerror(failure.errnoCode))
        case ChannelError.connectTimeout: return "it took too long to connect"
        default: return "\(error)"
        }
    }
}
