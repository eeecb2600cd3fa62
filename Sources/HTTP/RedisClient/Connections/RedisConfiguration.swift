/// Settings and limits of a client.
package struct RedisConfiguration: Hashable, Sendable {
    package var address: RedisAddress
    /// A file with the password, which is read at every connection; the address's password is used if `nil`.
    package var passwordFile: String?
    /// A PEM file of trusted certificate authorities; the system's authorities if `nil`.
    package var authorityFile: String?
    /// The prefix of all keys; `onesheet:` by default.
    package var prefix = RedisConfiguration.defaultPrefix
    /// The name for `CLIENT SETNAME`, which the server lists.
    package var clientName = "onesheet"
    /// Timeout of the TCP connection, and of each command of the handshake; 2 seconds by default.
    package var connectTimeout: Duration = .seconds(2)
    /// Timeout of commands without one of their own; 1 second by default.
    package var commandTimeout: Duration = .seconds(1)
    /// How long a reply may take until the connection is considered hung and closed; 1 second by default.
    package var hangTimeout: Duration = .seconds(1)
    /// Interval of health checks, which send `PING` while no other command is in flight; 1 second by default.
    package var watchInterval: Duration = .seconds(1)
    package var backOff = ReconnectDelay()
    package var pipeline = PipelineLimits()
    package var replies = ReplyLimits()

    package static let defaultPrefix = "onesheet:"
    /// Maximum size of the password file, in bytes.
    package static let passwordFileLimit = 4096

    package init(address: RedisAddress) {
        self.address = address
    }
}

/// The pause between attempts to connect.
package struct ReconnectDelay: Hashable, Sendable {
    /// Maximum pause after the first failure; doubles with each further one. 100 ms by default.
    package var first: Duration = .milliseconds(100)
    /// Maximum pause after any number of failures; 5 seconds by default.
    package var longest: Duration = .seconds(5)

    package init() {}

    /// Half of the pause is random, so that nodes that lost their server together do not reconnect together.
    /// - Parameters:
    ///   - failures: Consecutive failures, at least 1.
    ///   - random: A number from 0 to 1.
    func pause(after failures: Int, random: Double) -> Duration {
        var pause = min(self.first, self.longest)
        for _ in 1..<max(1, failures) where pause < self.longest { pause = min(pause + pause, self.longest) }
        return pause * (0.5 + random / 2)
    }
}
