/// Settings and limits of a client.
package struct RedisConfiguration: Hashable, Sendable {
    package var address: RedisAddress
    /// A file with the password, which is read at every connection; nil for the address's.
    package var passwordFile: String?
    /// PEM of the authorities that are trusted; nil for the system's.
    package var authorityFile: String?
    /// Of all keys; `onesheet:` by default.
    package var prefix = RedisConfiguration.defaultPrefix
    /// Of `CLIENT SETNAME`, for the server's lists.
    package var clientName = "onesheet"
    /// For connecting, TLS and the commands that a connection begins with; 2 seconds by default.
    package var connectTimeout: Duration = .seconds(2)
    /// For commands without a deadline of their own; 1 second by default.
    package var commandTimeout: Duration = .seconds(1)
    /// After which a connection without any reply is given up; 1 second by default.
    package var hangTimeout: Duration = .seconds(1)
    /// Between questions whether the server replies, on connections where nothing else is under way; 1 second by default.
    package var watchInterval: Duration = .seconds(1)
    package var backOff = ReconnectDelay()
    package var pipeline = PipelineLimits()
    package var replies = ReplyLimits()

    package static let defaultPrefix = "onesheet:"
    /// The longest file of a password, in bytes.
    package static let passwordFileLimit = 4096

    package init(address: RedisAddress) {
        self.address = address
    }
}

/// The pause before the next attempt to connect.
package struct ReconnectDelay: Hashable, Sendable {
    /// The longest pause before the first attempt; doubles with each that fails. 100 ms by default.
    package var first: Duration = .milliseconds(100)
    /// The longest pause before any attempt; 5 seconds by default.
    package var longest: Duration = .seconds(5)

    package init() {}

    /// Half of it is random, so that nodes that lost their server together do not come back together.
    /// - Parameters:
    ///   - failures: In a row; at least 1.
    ///   - random: From 0 to 1.
    func pause(after failures: Int, random: Double) -> Duration {
        var pause = min(self.first, self.longest)
        for _ in 1..<max(1, failures) where pause < self.longest { pause = min(pause + pause, self.longest) }
        return pause * (0.5 + random / 2)
    }
}
